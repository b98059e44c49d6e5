// Functions by which the test kit uses the Swift runtime in ways that cannot be written in Swift.
// Design/control.md says what each part relies on and how it fails.

#ifndef EXPLORE_TESTING_RUNTIME_H
#define EXPLORE_TESTING_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/// A reference to an executor, as the runtime passes it: the object, and its witness table with flags.
typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} KnotExecutor;

/// One run of an exploration, as the runtime's entry points know it.
typedef struct KnotRun KnotRun;

/// Where a job that is being enqueued comes from.
typedef struct {
  /// The default actor that the job is for; null where it is for another executor.
  const void *_Nullable actor;
  /// Whether a task hops there, and is not enqueued there in the order of a program.
  bool hops;
  /// Whether the actor was not made in the run, and others may use it at the same time.
  bool isShared;
  /// The run's task executor, if a thread that does not work for the run sends the job. It is retained; the
  /// reader of this releases it.
  void *_Nullable retained;
} KnotArrival;

/// Whether this platform has the mechanism at all.
bool knot_is_supported(void);

/// Installs the hooks of the runtime, once, however many copies of the kit a process has.
void knot_install(void);

/// The next definition of a function behind the file that has this one; each copy of the kit has its own.
void *_Nullable knot_next_here(const char *_Nonnull name);

/// How many things the thread is in the middle of into which no other job may come: the kit's own code, what is made once
/// in a process, and the making of a task.
#if defined(__linux__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local int knotIndivisible;

/// The kit's own code runs on the calling thread from here to `knot_let_go`. Its locks, and those of the libraries that it calls, are
/// no points at which other jobs may come: these would find the kit half-way.
static inline void knot_hold(void) { knotIndivisible++; }
static inline void knot_let_go(void) { knotIndivisible--; }

/// What a run asks of the kit; each function is called with the owner of the run.
typedef struct {
  /// Makes a detached task of the run: a task with the task-local values of the test calls `knot_make_pending`, so
  /// that the new task gets these values. Without them an issue that the new task records names no test.
  void (*_Nonnull make)(const void *_Nonnull owner);
  /// Lets other jobs come between two instructions of one.
  void (*_Nonnull interrupt)(const void *_Nonnull owner);
  /// Keeps the schedule's moment, and gives it back, when another thread of the run goes on.
  uint64_t (*_Nonnull leave)(const void *_Nonnull owner);
  void (*_Nonnull comeBack)(const void *_Nonnull owner, uint64_t moment);
  /// Keeps the job of a task that sleeps until the clocks of the run show so many nanoseconds.
  void (*_Nonnull sleep)(const void *_Nonnull owner, const void *_Nonnull job, int64_t deadline);
  /// Hears of a task whose unsafe continuation is resumed a second time: its number, or 0 where it is gone.
  void (*_Nonnull misuse)(const void *_Nonnull owner, uint64_t task);
  /// Decides between so many ways; hears in words what was decided, if the run is written down.
  size_t (*_Nonnull decide)(const void *_Nonnull owner, const char *_Nonnull name, size_t count,
                            bool isFault);
  void (*_Nullable tell)(const void *_Nonnull owner, const char *_Nonnull words, bool isFault);
  /// Hears of an error that is about to be thrown, and where, if the run is written down.
  void (*_Nullable throws)(const void *_Nonnull owner, const void *_Nullable error,
                           const void *_Nullable place);
  /// The next random number.
  uint64_t (*_Nonnull draw)(const void *_Nonnull owner, uint64_t count);
  /// Hears that the run ends the process, or has to, because it does not go on.
  void (*_Nonnull lastWords)(const void *_Nonnull owner, bool isStuck);
} KnotCallbacks;

/// Creates a run for which no thread works yet.
///
/// - interrupts: whether it passes points at which other jobs may come.
KnotRun *_Nonnull knot_run_create(KnotCallbacks callbacks, bool interrupts);

/// Sets the executors of the run. None of the arguments is retained.
///
/// - owner: the object that `knot_current_owner` returns.
/// - taskExecutor: `any TaskExecutor`, what the run's tasks prefer.
/// - reference: the same as an `UnownedTaskExecutor`.
/// - mainExecutor: the executor of the main actor in the run.
/// - door: the executor at which tasks wait for default actors that were made in the run.
void knot_run_open(KnotRun *_Nonnull run, const void *_Nonnull owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door);

/// Makes the detached task for which the calling thread has called `make`.
void knot_make_pending(void);

/// Frees a run that is closed.
void knot_run_destroy(KnotRun *_Nonnull run);

/// From now on the runtime treats the run's tasks as any others.
void knot_run_close(KnotRun *_Nonnull run);

/// Makes the calling thread work for a run.
///
/// Returns the run for which it worked before; `knot_leave` takes that one.
KnotRun *_Nullable knot_enter(KnotRun *_Nonnull run);
void knot_leave(KnotRun *_Nullable before);

/// The owner of the run for which the calling thread works, or null.
const void *_Nullable knot_current_owner(void);

/// Whether the calling thread works for this run.
bool knot_is_current(const KnotRun *_Nonnull run);

/// Where the job that is being enqueued comes from; the second call for one job returns nothing.
KnotArrival knot_take_arrival(void);

/// Sets what the clocks of the standard library show to the thread that works for the run.
void knot_set_time(KnotRun *_Nonnull run, int64_t seconds, int64_t nanoseconds);

/// Sets how many seconds after 1970 the wall clock shows beyond that time.
void knot_set_date(KnotRun *_Nonnull run, int64_t seconds);

/// How many random numbers the run has drawn.
uint64_t knot_draws(const KnotRun *_Nonnull run);

/// How often code of the run has read a clock, or a source of random numbers, that is not the run's.
uint64_t knot_foreign_readings(const KnotRun *_Nonnull run);

/// Whether hashes do not depend on the process, since it began.
bool knot_has_plain_hashes(void);

/// How many tasks of the run its thread has put on the global executor.
uint64_t knot_escaped_jobs(const KnotRun *_Nonnull run);

/// Runs a job for the run: on a default actor, on the run's main actor, or on neither.
///
/// - prefers: whether its task prefers the run's executor; one that does not would leave at once.
void knot_run_job(KnotRun *_Nonnull run, const void *_Nonnull job, const void *_Nullable actor,
                  bool isMain, bool prefers);

/// Passes such a point, where the calling thread is in the middle of a job of a run that has them.
void knot_pass_point(void);

/// Runs a function that runs a job on another thread of the run, until it returns or waits for a lock that an
/// interrupted job holds; then it goes on later.
void knot_lend(KnotRun *_Nonnull run, void (*_Nonnull body)(void *_Nullable context),
               void *_Nullable context);

/// Gives a job to its default actor, as if the kit were not there.
void knot_enqueue(const void *_Nonnull job, const void *_Nonnull actor);

/// The number of a task, which no other task of the process has; 0 for a job that is no task.
uint64_t knot_task_number(const void *_Nonnull job);

/// The actor that a job will drain, where the job does that; null otherwise.
const void *_Nullable knot_drained_actor(const void *_Nonnull job);

/// The state of a task that does not run.
typedef enum {
  knotTaskUnknown = 0,
  knotTaskAwaitsTask = 1,
  knotTaskAwaitsContinuation = 2,
  knotTaskAwaitsGroup = 3,
  knotTaskIsReady = 4,
  knotTaskEnded = 5,
} KnotTaskState;

enum { knotFrameCount = 40, knotNameLength = 80 };

/// What a task does, as far as the runtime knows.
typedef struct {
  KnotTaskState state;
  bool isCancelled;
  bool isRunning;
  /// The lower half of its number.
  uint32_t number;
  /// The task, group, continuation or actor for which it waits.
  const void *_Nullable on;
  /// The task that has the group in which it is.
  const void *_Nullable parent;
  /// The beginning of its name; empty where it was given none.
  char name[knotNameLength];
  /// The functions in which it is suspended, from the innermost.
  size_t count;
  const void *_Nullable frames[knotFrameCount];
} KnotTask;

/// A flag of a task: the byte at which its word begins, and its bit; no bit where it was not found.
typedef struct {
  uint32_t place, mask;
} KnotFlag;

/// Where the runtime keeps what is read of a task, in bytes from its beginning, or from that of a record. Where a place
/// is 0 it was not found, and what stands there is read of no task.
typedef struct {
  /// How each task begins; 0 where tasks are not read.
  uintptr_t metadata;
  KnotFlag cancelled, running, ended, waiting;
  /// The first of a task's records; the kind is the lowest byte of each.
  uint32_t record;
  /// In the record of what a task waits for: its kind, the other task or the like, the task itself, and the reason.
  uint32_t dependency, on, waiter, reason;
  /// The reasons: a task, a continuation, a group, an executor.
  uint32_t reasons[4];
  /// The next record; the kind of the one with the name, and where it has that.
  uint32_t next, named, name;
  /// The flag of the job that is a child task in a group, and where the child has the task of the group.
  uint32_t inGroup, parent;
} KnotLayout;

/// Sets where what is read of tasks is found, once, before any is read.
void knot_set_layout(KnotLayout layout);

/// How many bytes a task has, as the runtime says; 0 if it does not.
uint32_t knot_task_size(void);

/// Copies memory that may be gone; returns whether it is there.
bool knot_read(void *_Nullable to, const void *_Nullable from, size_t size);

/// Reads a task, which may have been freed; returns whether there is one.
bool knot_read_task(const void *_Nonnull task, KnotTask *_Nonnull result);

/// The file of the program or library that has the code at an address, and where in it; null if there is none.
const char *_Nullable knot_file(const void *_Nonnull address, uintptr_t *_Nonnull offset);

/// The demangled name of a function of Swift, to be freed; null where it is none.
char *_Nullable knot_demangled(const char *_Nonnull name);

/// Fails the test of XCTest that runs, with a Swift string in two words; false where none runs.
bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *_Nonnull file, uintptr_t line);

/// Whether an assertion of XCTest has failed in a run since the last call.
bool knot_take_xctest_failure(void);

/// Suppresses failures of XCTest in runs.
void knot_silence_xctest(bool isSilent);

/// Notes a run's test, its number there, and how long one of its jobs may take, before it begins.
void knot_run_note(KnotRun *_Nonnull run, const char *_Nonnull test, uint64_t number,
                   int64_t milliseconds);

// MARK: Hangs

/// What a thread does.
typedef struct {
  /// The task that it runs.
  const void *_Nullable task;
  /// The actor on which it runs.
  const void *_Nullable executor;
  size_t count;
  const void *_Nullable frames[knotFrameCount];
} KnotThread;

/// Takes note of tasks from now on, and calls `tick` twenty times a second on a thread of its own.
void knot_watch_hangs(void (*_Nonnull tick)(void));

/// The tasks that were made since then, and places at which there was one. Returns how many there are.
size_t knot_tasks(const void *_Nullable *_Nonnull tasks, size_t count);

/// Interrupts each other thread of the process for a moment and sees what it does. Returns how many there are.
size_t knot_threads(KnotThread *_Nullable threads, size_t count);

/// The calling task.
const void *_Nullable knot_current_task(void);

#endif

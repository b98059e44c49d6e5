// The functions that use the Swift runtime in ways that Swift cannot express. Design/control.md says what each part
// relies on and how it fails.

#ifndef EXPLORE_TESTING_RUNTIME_H
#define EXPLORE_TESTING_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/// Starts a shell command whose output the file contains; null where the kit runs no commands.
///
/// Apple's headers do not let Swift call `popen`.
static inline FILE *_Nullable knot_open_command(const char *_Nonnull command) {
#ifdef __linux__
  return popen(command, "r");
#else
  return NULL;
#endif
}

/// Waits for the end of a command, and closes its file.
static inline void knot_close_command(FILE *_Nonnull file) {
#ifdef __linux__
  pclose(file);
#endif
}

/// A reference to an executor, as the runtime passes it: the object, and its witness table with flags.
typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} KnotExecutor;

/// One run of an exploration.
typedef struct KnotRun KnotRun;

/// Where a job that is being enqueued comes from.
typedef struct {
  /// The default actor of the job; null if the job is for another executor.
  const void *_Nullable actor;
  /// Whether the job is a task that hops to its actor, so it can arrive at any moment.
  ///
  /// If false, the job waits behind earlier jobs for the same actor.
  bool hops;
  /// Whether the actor was created before the run, so that other code may use it at the same time.
  bool isShared;
  /// The run's task executor, if the sending thread does not work for the run. It is retained; the code that reads this value
  /// releases it.
  void *_Nullable retained;
} KnotArrival;

/// Whether the kit supports this platform at all.
bool knot_is_supported(void);

/// Installs the runtime hooks. Further calls have no effect, even calls from another copy of the kit in the process.
void knot_install(void);

/// Finds the next definition of a function after this binary, in the dynamic linker's search order. Each copy of the kit has its
/// own version of this function.
void *_Nullable knot_next_here(const char *_Nonnull name);

/// How deeply the calling thread is nested in sections that no other job may interrupt: the kit's own code, code that runs
/// once in a process, and the creation of a task.
#if defined(__linux__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local int knotIndivisible;

/// Marks the kit's code on the calling thread, up to `knot_let_go`. No other job may run where this code, or a library that it
/// calls, unlocks a lock, because the job would find the kit in an inconsistent state.
static inline void knot_hold(void) { knotIndivisible++; }
static inline void knot_let_go(void) { knotIndivisible--; }

/// The functions of the kit that the C part calls for a run. The first argument of each is the owner of the run.
typedef struct {
  /// Creates a detached task of the run: a task with the test's task-local values calls `knot_make_pending`, so that the new
  /// task gets these values. Without them an issue in the new task would belong to no test.
  void (*_Nonnull make)(const void *_Nonnull owner);
  /// Lets other jobs run between two instructions of a job.
  void (*_Nonnull interrupt)(const void *_Nonnull owner);
  /// `leave` saves the schedule's current task before another thread of the run continues; `comeBack` restores it.
  uint64_t (*_Nonnull leave)(const void *_Nonnull owner);
  void (*_Nonnull comeBack)(const void *_Nonnull owner, uint64_t moment);
  /// Keeps the job of a sleeping task until the run's clocks show `deadline` nanoseconds.
  void (*_Nonnull sleep)(const void *_Nonnull owner, const void *_Nonnull job, int64_t deadline);
  /// Records an immediate task, whose first step belongs to the job of its creator, or a task with its own executor.
  void (*_Nonnull meet)(const void *_Nonnull owner, const void *_Nonnull task);
  /// Reports that a task's continuation is resumed twice; `task` is the task's number, or 0 if the task no longer exists.
  void (*_Nonnull misuse)(const void *_Nonnull owner, uint64_t task);
  /// `decide` chooses one of `count` options; `tell` records the result in words, and is null unless the run is recorded.
  size_t (*_Nonnull decide)(const void *_Nonnull owner, const char *_Nonnull name, size_t count,
                            bool isFault);
  void (*_Nullable tell)(const void *_Nonnull owner, const char *_Nonnull words, bool isFault);
  /// Reports an error that is about to be thrown, and where; null unless the run is recorded.
  void (*_Nullable throws)(const void *_Nonnull owner, const void *_Nullable error,
                           const void *_Nullable place);
  /// Returns the next random number.
  uint64_t (*_Nonnull draw)(const void *_Nonnull owner, uint64_t count);
  /// Reports that the run ends the process, or that it is stuck and the process has to end.
  void (*_Nonnull lastWords)(const void *_Nonnull owner, bool isStuck);
} KnotCallbacks;

/// Creates a run. No thread works for it yet.
///
/// - interrupts: whether other jobs may run between two instructions of a job.
KnotRun *_Nonnull knot_run_create(KnotCallbacks callbacks, bool interrupts);

/// Opens the run and sets its owner and its executors, without retaining them.
///
/// - owner: the object that `knot_current_owner` returns.
/// - taskExecutor: the `any TaskExecutor` that the run's tasks prefer.
/// - reference: the same executor as an `UnownedTaskExecutor`.
/// - mainExecutor: the executor of the run's main actor.
/// - door: the executor at which tasks wait for default actors of the run.
void knot_run_open(KnotRun *_Nonnull run, const void *_Nonnull owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door);

/// Creates the detached task for which `KnotCallbacks.make` is being called on this thread, with the task-local values of the
/// calling task. Does nothing if no task is pending.
void knot_make_pending(void);

/// Lists up to `count` keys of the task-local values that the testing library has set so far. Returns how many it listed.
size_t knot_testing_keys(const void *_Nullable *_Nonnull keys, size_t count);

/// Closes the run if it is open, and frees it.
void knot_run_destroy(KnotRun *_Nonnull run);

/// Closes the run. The runtime then treats its tasks like any other tasks.
void knot_run_close(KnotRun *_Nonnull run);

/// Makes the calling thread work for a run. Returns the thread's previous run, which you pass to `knot_leave`. A thread that
/// leaves its outermost run may use all its cores again.
KnotRun *_Nullable knot_enter(KnotRun *_Nonnull run);
void knot_leave(KnotRun *_Nullable before);

/// The owner of the run that the calling thread works for; null if there is none.
const void *_Nullable knot_current_owner(void);

/// Whether the calling thread works for this run.
bool knot_is_current(const KnotRun *_Nonnull run);

/// Where the job that is being enqueued comes from. A second call for the same job returns an empty value.
KnotArrival knot_take_arrival(void);

/// Sets the time that the standard clocks show to the run's threads.
void knot_set_time(KnotRun *_Nonnull run, int64_t seconds, int64_t nanoseconds);

/// Sets the offset of the wall clock from the time of the standard clocks, in seconds and nanoseconds.
void knot_set_date(KnotRun *_Nonnull run, int64_t seconds, int64_t nanoseconds);

/// How many random numbers the run has drawn.
uint64_t knot_draws(const KnotRun *_Nonnull run);

/// How many times the run has read a clock or a random source that it does not control.
uint64_t knot_foreign_readings(const KnotRun *_Nonnull run);

/// Whether this process has used the kit's constant hash seeds since it started.
bool knot_has_plain_hashes(void);

/// How many times work has left the run, because a task of the run reached the global executor on a thread of the run or an
/// isolated `deinit` belongs to an actor that is older than the run.
uint64_t knot_escaped_jobs(const KnotRun *_Nonnull run);

/// Sets whether the calling thread is reading watched values. While it is, isolation checks on this thread pass.
void knot_set_reading(bool isReading);

/// Runs a job of the run: on a default actor, on the run's main actor, or on neither.
///
/// - prefers: whether the job's task prefers the run's executor. A task that does not prefer it leaves the run.
void knot_run_job(KnotRun *_Nonnull run, const void *_Nonnull job, const void *_Nullable actor,
                  bool isMain, bool prefers);

/// Lets other jobs interrupt the calling thread, if it is in the middle of a job and its run allows that.
void knot_pass_point(void);

/// Runs a job on another thread of the run, until the job ends or has to wait, for example for a lock of an interrupted job. A
/// waiting job continues later.
void knot_lend(KnotRun *_Nonnull run, void (*_Nonnull body)(void *_Nullable context),
               void *_Nullable context);

/// Enqueues a job on its default actor, as the runtime would without the kit.
void knot_enqueue(const void *_Nonnull job, const void *_Nonnull actor);

/// The number of a task, which is unique in the process; 0 if the job is not a task.
uint64_t knot_task_number(const void *_Nonnull job);

/// The actor whose queue the job drains; null if the job is of another kind.
const void *_Nullable knot_drained_actor(const void *_Nonnull job);

/// The state of a task that is not running.
typedef enum {
  knotTaskUnknown = 0,
  knotTaskAwaitsTask = 1,
  knotTaskAwaitsContinuation = 2,
  knotTaskAwaitsGroup = 3,
  knotTaskIsReady = 4,
  knotTaskEnded = 5,
} KnotTaskState;

enum { knotFrameCount = 40, knotNameLength = 80 };

/// The state of a task, as far as the kit can read it.
typedef struct {
  KnotTaskState state;
  bool isCancelled;
  bool isRunning;
  /// The lower half of the task's number.
  uint32_t number;
  /// The task, group, continuation or actor that the task waits for.
  const void *_Nullable on;
  /// The task that owns this task's group.
  const void *_Nullable parent;
  /// The start of the task's name; empty if the task has none.
  char name[knotNameLength];
  /// The functions in which the task is suspended, innermost first.
  size_t count;
  const void *_Nullable frames[knotFrameCount];
} KnotTask;

/// A flag of a task: the offset of its word, and its bit. The mask is 0 if the flag was not found.
typedef struct {
  uint32_t place, mask;
} KnotFlag;

/// Offsets in a task or in one of its records, in bytes. An offset of 0 means that the part was not found and is not read.
typedef struct {
  /// The first word of each task; 0 if tasks are not readable.
  uintptr_t metadata;
  KnotFlag cancelled, running, ended, waiting;
  /// The first record of a task. The lowest byte of each record is its kind.
  uint32_t record;
  /// For the record of a dependency: its kind, and the offsets of the awaited object, the waiting task and the reason.
  uint32_t dependency, on, waiter, reason;
  /// The values of the reason for a task, a continuation, a group and an executor, in this order.
  uint32_t reasons[4];
  /// The offset of the next record; the kind of the record with the name, and the offset of the name.
  uint32_t next, named, name;
  /// The job flag of a child task in a group, and the offset of the task that owns the group.
  uint32_t inGroup, parent;
} KnotLayout;

/// Sets the layout once, before any task is read.
void knot_set_layout(KnotLayout layout);

/// The size of a task in bytes, as the runtime reports it; 0 if the runtime does not report it.
uint32_t knot_task_size(void);

/// Copies memory that may be invalid; returns whether it was readable.
bool knot_read(void *_Nullable to, const void *_Nullable from, size_t size);

/// Reads a task that may have been freed; returns whether it exists.
bool knot_read_task(const void *_Nonnull task, KnotTask *_Nonnull result);

/// The file that contains the code at an address; null if there is none. Stores the distance of the address from the start of the
/// loaded file in `offset`.
const char *_Nullable knot_file(const void *_Nonnull address, uintptr_t *_Nonnull offset);

/// The demangled name of a Swift function, which the caller frees; null if the function is not a Swift function.
char *_Nullable knot_demangled(const char *_Nonnull name);

/// Fails the running XCTest test, with a Swift string in two words as the message; returns false if no such test runs.
bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *_Nonnull file, uintptr_t line);

/// Stores the name of the running XCTest test as a Swift string at an uninitialized address; returns false if no such test runs.
bool knot_xctest_name(void *_Nonnull string);

/// Whether an XCTest assertion has failed in a run since the last call.
bool knot_take_xctest_failure(void);

/// Sets whether XCTest failures in runs are suppressed.
void knot_silence_xctest(bool isSilent);

/// Sets the name of a run's test, the number of the run in the test, and the maximum duration of a job, before the run starts.
void knot_run_note(KnotRun *_Nonnull run, const char *_Nonnull test, uint64_t number,
                   int64_t milliseconds);

// MARK: Hangs

/// The state of a thread.
typedef struct {
  /// The task that the thread runs.
  const void *_Nullable task;
  /// The actor on which the thread runs.
  const void *_Nullable executor;
  size_t count;
  const void *_Nullable frames[knotFrameCount];
} KnotThread;

/// The time of the machine's monotonic clock, even in a run.
int64_t knot_real_nanoseconds(void);

/// Starts to record each new task, and calls `tick` twenty times a second on a separate thread.
void knot_watch_hangs(void (*_Nonnull tick)(void));

/// Lists up to `count` of the tasks recorded so far, including addresses of freed tasks. Returns how many it listed.
size_t knot_tasks(const void *_Nullable *_Nonnull tasks, size_t count);

/// Briefly interrupts up to `count` other threads of the process to read their states. Returns the number of threads that
/// answered.
size_t knot_threads(KnotThread *_Nullable threads, size_t count);

/// The calling thread's task.
const void *_Nullable knot_current_task(void);

#endif

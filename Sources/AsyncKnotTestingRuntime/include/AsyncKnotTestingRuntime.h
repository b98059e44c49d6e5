// What the test kit needs of the Swift runtime and cannot say in Swift. Design/control.md tells what
// each part relies on and how it fails.

#ifndef ASYNC_KNOT_TESTING_RUNTIME_H
#define ASYNC_KNOT_TESTING_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  /// The name that a task was given where it was created; valid while it is being enqueued.
  const char *_Nullable name;
  /// The run's task executor, retained, where another thread sends the job; whoever reads this releases it.
  void *_Nullable retained;
} KnotArrival;

/// Whether this platform has the mechanism at all.
bool knot_is_supported(void);

/// Installs the hooks of the runtime, once; does nothing where that has been done.
void knot_install(void);

/// Creates a run that nobody works for yet.
KnotRun *_Nonnull knot_run_create(void);

/// Tells what the run's tasks run on. Nothing of it is retained.
///
/// - owner: what `knot_current_owner` answers.
/// - taskExecutor: `any TaskExecutor`, what the run's tasks prefer.
/// - reference: the same as an `UnownedTaskExecutor`.
/// - mainExecutor: what stands for the main actor.
/// - door: what stands for default actors that were made in the run.
void knot_run_open(KnotRun *_Nonnull run, const void *_Nonnull owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door);

/// Has detached tasks made in another task's name.
///
/// When the run's code detaches a task, `make` is called with the owner. It has some task call
/// `knot_make_pending`, and the new task gets that one's task-local values: those of the test, without
/// which an issue that it records names no test.
void knot_run_set_maker(KnotRun *_Nonnull run, void (*_Nonnull make)(const void *_Nonnull owner));

/// Makes the detached task that the calling thread is about to make, if there is one.
void knot_make_pending(void);

/// Frees a run that is closed.
void knot_run_destroy(KnotRun *_Nonnull run);

/// From now on the runtime treats the run's tasks as any others.
void knot_run_close(KnotRun *_Nonnull run);

/// Makes a run the one that the calling thread works for.
///
/// Returns the run that it worked for before, which is given back in `knot_leave`.
KnotRun *_Nullable knot_enter(KnotRun *_Nonnull run);
void knot_leave(KnotRun *_Nullable before);

/// The owner of the run that the calling thread works for, or null.
const void *_Nullable knot_current_owner(void);

/// Whether the calling thread works for this run.
bool knot_is_current(const KnotRun *_Nonnull run);

/// Where the job that is being enqueued comes from; each answer is given once.
KnotArrival knot_take_arrival(void);

/// Sets what the clocks of the standard library show to the thread that works for the run.
void knot_set_time(KnotRun *_Nonnull run, int64_t seconds, int64_t nanoseconds);

/// Tells the number of the run's first task: those with higher numbers are younger.
void knot_set_first_task(KnotRun *_Nonnull run, uint64_t number);

/// How many tasks were given the run's executor because of where they were created.
uint64_t knot_adopted_tasks(const KnotRun *_Nonnull run);

/// How many tasks the run's thread has put on the global executor that it may have created itself.
uint64_t knot_escaped_jobs(const KnotRun *_Nonnull run);

/// Runs a job for the run: on this default actor, or on what stands for the main actor, or on neither.
///
/// - prefers: whether its task prefers the run's executor; one that does not would leave at once.
void knot_run_job(KnotRun *_Nonnull run, const void *_Nonnull job, const void *_Nullable actor,
                  bool isMain, bool prefers);

/// Gives a job to its default actor, as if the kit were not there.
void knot_enqueue(const void *_Nonnull job, const void *_Nonnull actor);

/// The number of a task, which no other task of the process has; 0 for a job that is no task.
uint64_t knot_task_number(const void *_Nonnull job);

/// The actor that a job will drain, where the job does that; null otherwise.
const void *_Nullable knot_drained_actor(const void *_Nonnull job);

/// What a task does that does not run.
typedef enum {
  knotTaskUnknown = 0,
  knotTaskAwaitsTask = 1,
  knotTaskAwaitsContinuation = 2,
  knotTaskAwaitsGroup = 3,
  knotTaskIsReady = 4,
  knotTaskEnded = 5,
} KnotTaskState;

/// What a task that does not run does, and the task that it awaits. The task must still be there.
KnotTaskState knot_task_state(const void *_Nonnull job, const void *_Nullable *_Nonnull on);

/// The functions that a task goes on in, from the innermost; how many there are.
size_t knot_task_frames(const void *_Nonnull job, const void *_Nullable *_Nonnull frames,
                        size_t count);

/// The name of the function at an address, as a reader knows it, to be freed; null where it has none.
char *_Nullable knot_function_name(const void *_Nonnull address);

void knot_free(char *_Nonnull name);

/// Calls a function when the process ends as it should.
void knot_at_exit(void (*_Nonnull function)(void));

#endif

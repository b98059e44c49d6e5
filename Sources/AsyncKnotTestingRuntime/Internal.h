#ifndef ASYNC_KNOT_TESTING_INTERNAL_H
#define ASYNC_KNOT_TESTING_INTERNAL_H

#include "AsyncKnotTestingRuntime.h"

#if defined(__linux__)
#define KNOT_SUPPORTED 1
#else
#define KNOT_SUPPORTED 0
#endif

#if KNOT_SUPPORTED

#include <stdatomic.h>

#define SWIFT_CC __attribute__((swiftcall))
#define SWIFT_ASYNC_CC __attribute__((swiftasynccall))
#define SWIFT_ASYNC_CONTEXT __attribute__((swift_async_context))

/// A definition that takes the place of the runtime's own.
///
/// Weak: where the runtime is linked statically, its definition wins and the link succeeds; then the
/// kit finds out at the first seed that nobody calls this one.
#define REPLACES __attribute__((weak, visibility("default")))

struct KnotRun {
  const void *owner;
  KnotExecutor taskExecutor;
  KnotExecutor reference;
  KnotExecutor mainExecutor;
  KnotExecutor door;
  void (*make)(const void *owner);
  /// Locks the table of actors.
  atomic_flag isLocked;
  /// The default actors that were made in the run: a hash table of addresses.
  const void **actors;
  size_t capacity;
  /// How many places of the table are not free; read without the lock, too.
  _Atomic size_t used;
  /// The task with the highest number at the start of the run.
  uint64_t firstTask;
  _Atomic uint64_t adopted;
  _Atomic uint64_t escaped;
  int64_t seconds;
  int64_t nanoseconds;
  struct KnotRun *next;
};

/// The run that the calling thread works for.
extern _Thread_local KnotRun *knotCurrent;

/// How many runs there are that have not been closed.
extern _Atomic size_t knotLiveRuns;

/// The runtime's own definition of a function that this target replaces.
void *knotNext(const char *name);

/// The runtime's own definition of `name`, found once.
#define NEXT(name)                                                                                \
  ({                                                                                              \
    static _Atomic(void *) next;                                                                  \
    void *found = atomic_load_explicit(&next, memory_order_relaxed);                              \
    if (__builtin_expect(!found, 0)) {                                                            \
      found = knotNext(#name);                                                                    \
      atomic_store_explicit(&next, found, memory_order_relaxed);                                  \
    }                                                                                             \
    (__typeof__(&name))found;                                                                     \
  })

/// Whether tasks that are made are noted for the explanation of a hang.
extern _Atomic bool knotNotesTasks;

/// Notes a task that the calling one has made.
///
/// - frame: the frame of the function that replaces the runtime's; the callers' frames tell where.
void knotNoteTask(const void *task, const char *name, const void *group, void *const *frame);

/// Whether the task with this number is still there and has not ended.
bool knotIsUnfinished(const void *task, uint64_t number);

/// Whether an address is in the code of the testing library.
bool knotIsInTesting(const void *address);

/// Copies memory that may be gone; returns whether it is there.
bool knotRead(void *to, const void *from, size_t size);

/// The run of the calling thread, or else the one that the current task belongs to.
KnotRun *knotRunOfCurrentTask(void);

/// For a thread that works for no run: whether an actor was made in a run that is open.
///
/// If so it gives the run's door, and the arrival there is told.
bool knotReachesOwner(const void *actor, KnotExecutor *door);

bool knotOwns(KnotRun *run, const void *actor);
void knotAdd(KnotRun *run, const void *actor);
void knotForget(const void *actor);

/// Tells the executor that is about to be given a job where the job comes from.
void knotArrives(const void *actor, bool hops, const char *name);

extern SWIFT_CC void *swift_task_getCurrent(void);
extern SWIFT_CC KnotExecutor swift_task_getCurrentExecutor(void);
extern SWIFT_CC KnotExecutor swift_task_getPreferredTaskExecutor(void);
extern SWIFT_CC uint64_t swift_task_getJobTaskId(const void *job);
extern SWIFT_CC void swift_task_enqueue(const void *job, const void *identity, uintptr_t impl);
extern SWIFT_CC void swift_job_run_on_serial_and_task_executor(const void *job, const void *serial,
                                                               uintptr_t serialImpl,
                                                               const void *task,
                                                               uintptr_t taskImpl);
extern void *swift_retain(void *object);

#endif
#endif

// Replacements for the entry points of the runtime that compiled Swift code calls.
//
// Most of these functions check whether the calling thread works for a run. If not, they call the runtime's own definition with
// the same arguments.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

// MARK: Tasks

/// The arguments of a detached task that is about to be created and, afterward, the task.
typedef struct {
  size_t flags;
  Option *options;
  const void *resultType;
  void *entry;
  void *context;
  TaskAndContext result;
} Pending;

static _Thread_local Pending *pending;

void knot_make_pending(void) {
  Pending *p = pending;
  if (!p) return;
  pending = NULL;
  p->result = NEXT(swift_task_create)(p->flags | copiesTaskLocals, p->options, p->resultType,
                                      p->entry, p->context);
}

static TaskAndContext createTask(size_t flags, Option *options, const void *resultType,
                                 void *entry, void *context) {
  KnotRun *run = knotRunOfCurrentTask();
  if (!run) return NEXT(swift_task_create)(flags, options, resultType, entry, context);

  // A child task inherits its parent's executor, and a task with its own executor keeps it.
  bool inherits = false, isChild = false;
  ExecutorOption *serial = NULL, *none = NULL;
  for (Option *option = options; option; option = option->parent) {
    switch (option->flags & 0xff) {
      case taskGroup:
      case asyncLet:
      case asyncLetWithBuffer:
        inherits = isChild = true;
        break;
      case initialTaskExecutorUnowned:
      case initialTaskExecutorOwned:
        // `Task(executorPreference: nil)` and `Task.immediate` pass this option without an executor.
        if (((ExecutorOption *)option)->executor.identity) {
          inherits = true;
        } else {
          none = (ExecutorOption *)option;
        }
        break;
      case initialSerialExecutor:
        serial = (ExecutorOption *)option;
        break;
    }
  }

  KnotExecutor isolation = {NULL, 0};
  if (serial) {
    isolation = serial->executor;
    if (isolation.identity && isolation.implementation == 0) {
      // The task waits for its actor at the run's door, in the order in which such tasks were created.
      knotArrives(isolation.identity, false, !knotHas(&run->actors, isolation.identity));
      serial->executor = run->door;
    }
  }
  TaskAndContext result;
  if (inherits) {
    result = NEXT(swift_task_create)(flags, options, resultType, entry, context);
    // Record the task, because the run's executor may never see it. A child task is not recorded, because it may already have
    // been freed. A task that the kit or the creation of a lazy object starts does not belong to the run.
    if (!isChild && knotIndivisible == 1) run->kit.meet(run->owner, result.task);
  } else {
    ExecutorOption preference = {{initialTaskExecutorOwned, options}, run->taskExecutor};
    Option *adopted = none ? options : &preference.base;
    bool isOwned = !none || (none->base.flags & 0xff) == initialTaskExecutorOwned;
    if (none) none->executor = isOwned ? run->taskExecutor : run->reference;
    // The runtime takes ownership of an owned executor.
    if (isOwned) swift_retain((void *)run->taskExecutor.identity);
    Pending detached = {flags, adopted, resultType, entry, context, {NULL, NULL}};
    if (run == knotCurrent && !(flags & copiesTaskLocals)) {
      pending = &detached;
      run->kit.make(run->owner);
      pending = NULL;
    }
    result = detached.result.task
                 ? detached.result
                 : NEXT(swift_task_create)(flags, adopted, resultType, entry, context);
    if (none) none->executor = (KnotExecutor){NULL, 0};
  }
  if (serial) serial->executor = isolation;
  knotArrives(NULL, false, false);
  return result;
}

REPLACES SWIFT_CC TaskAndContext swift_task_create(size_t flags, Option *options,
                                                   const void *resultType, void *entry,
                                                   void *context) {
  knotIndivisible++;
  TaskAndContext result = createTask(flags, options, resultType, entry, context);
  knotIndivisible--;
  if (__builtin_expect(atomic_load_explicit(&knotNotesTasks, memory_order_relaxed), false)) {
    knotAdd(&knotTasks, result.task);
  }
  knot_pass_point();
  return result;
}

static void runJob(KnotRun *run, const void *job, const void *actor, bool isMain, bool prefers) {
  bool wasBusy = run->isBusy;
  // The kit's own trial (see Control.swift) runs inside `swift_once`, where no job can be interrupted. Setting the count
  // of nested sections to 0 lets jobs of the trial be interrupted nevertheless.
  int indivisible = knotIndivisible;
  knotIndivisible = 0;
  if (run->jobs == 0) run->firstTask = knot_task_number(job);
  run->jobs++;
  run->isBusy = true;
  KnotExecutor serial = isMain ? run->mainExecutor : (KnotExecutor){actor, 0};
  KnotExecutor preferred = prefers ? run->reference : (KnotExecutor){NULL, 0};
  swift_job_run_on_serial_and_task_executor(job, serial.identity, serial.implementation,
                                            preferred.identity, preferred.implementation);
  knotIndivisible = indivisible;
  run->isBusy = wasBusy;
}

/// Runs the first step of an immediate task, on the executor of the code that creates it.
///
/// The runtime's own definition ignores the task executor if the task is isolated to an actor, so a task that prefers an
/// executor would suspend before its first step.
REPLACES SWIFT_CC void swift_task_immediate(void *task, const void *identity,
                                            uintptr_t implementation) {
  KnotRun *run = knotCurrent;
  bool isMain = run && identity && identity == run->mainExecutor.identity;
  if (!run || (identity && implementation != 0 && !isMain)) {
    NEXT(swift_task_immediate)(task, identity, implementation);
    return;
  }
  // A running task owns a reference to itself.
  swift_retain(task);
  run->kit.meet(run->owner, task);
  runJob(run, task, isMain ? NULL : identity, isMain, true);
  // The task may have suspended and be ready again, so it may run before the code that created it continues.
  knot_pass_point();
}

/// Counts an isolated `deinit` on an actor that is older than the run, because such a `deinit` leaves the run's thread.
REPLACES SWIFT_CC void swift_task_deinitOnExecutor(void *object, void *work, const void *identity,
                                                   uintptr_t implementation, size_t flags) {
  KnotRun *run = knotCurrent;
  if (run && identity && implementation == 0 && !knotHas(&run->actors, identity) &&
      swift_task_getCurrentExecutor().identity != identity) {
    atomic_fetch_add_explicit(&run->escaped, 1, memory_order_relaxed);
  }
  NEXT(swift_task_deinitOnExecutor)(object, work, identity, implementation, flags);
}

/// Notes the keys of the testing library's task-local values.
REPLACES SWIFT_CC void swift_task_localValuePush(const void *key, void *value, const void *type) {
  if (knotIsIn(&knotTesting, CALLER())) knotAdd(&knotTestingKeys, key);
  NEXT(swift_task_localValuePush)(key, value, type);
}

// MARK: Hops

REPLACES SWIFT_ASYNC_CC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, Resume *resume,
                                               const void *identity, uintptr_t implementation) {
  KnotRun *run = knotCurrent;
  if (!run) {
    KnotExecutor door;
    if (identity && implementation == 0 && knotReachesOwner(identity, &door)) {
      identity = door.identity;
      implementation = door.implementation;
    }
  } else if (identity) {
    // The target may be an actor of the run, its main actor, or an actor that code outside the run may also use.
    bool isDefault = implementation == 0;
    if ((isDefault || identity == run->mainExecutor.identity) &&
        swift_task_getCurrentExecutor().identity != identity) {
      knotArrives(isDefault ? identity : NULL, true, isDefault && !knotHas(&run->actors, identity));
      if (isDefault) {
        identity = run->door.identity;
        implementation = run->door.implementation;
      }
    }
  }
  __attribute__((musttail)) return NEXT(swift_task_switch)(context, resume, identity,
                                                           implementation);
}

// MARK: Continuations

/// Whether the continuation of a task has already been resumed. If so, this function notifies the kit, and the caller must not
/// call the runtime's function, because the task no longer waits.
static bool wasResumed(const void *task) {
  if (!knotCurrent || knotAdd(&knotCurrent->resumed, task)) return false;
  KnotTask read;
  knotCurrent->kit.misuse(knotCurrent->owner,
                          knot_read_task(task, &read) ? swift_task_getJobTaskId(task) : 0);
  return true;
}

// After a task has read a state and before it stores a continuation, another task may run. That task may send an update
// that the first task then misses, or cancel the first task. So other jobs may run where a task finds that it is not
// cancelled, and where it creates a continuation.

IsCancelled knotIsCancelled __asm__(IS_CANCELLED);
CheckCancellation knotCheckCancellation __asm__(CHECK_CANCELLATION);
WithContinuation knotChecked __asm__(CHECKED), knotCheckedThrowing __asm__(CHECKED_THROWING);

REPLACES SWIFT_CC bool knotIsCancelled(void) {
  bool isCancelled = NEXT_CALLED(knotIsCancelled, IS_CANCELLED)();
  if (!isCancelled) knot_pass_point();
  return isCancelled;
}

REPLACES SWIFT_CC void knotCheckCancellation(SWIFT_CONTEXT void *self, SWIFT_ERROR void **error) {
  NEXT_CALLED(knotCheckCancellation, CHECK_CANCELLATION)(self, error);
  if (!*error) knot_pass_point();
}

#define PASSES_POINT(function, symbol)                                                            \
  REPLACES SWIFT_ASYNC_CC void function(                                                          \
      SWIFT_ASYNC_CONTEXT void *context, void *result, uintptr_t actor0, uintptr_t actor1,        \
      uintptr_t name0, uintptr_t name1, void *body, void *captured, const void *type) {           \
    knot_pass_point();                                                                            \
    __attribute__((musttail)) return NEXT_CALLED(function, symbol)(                               \
        context, result, actor0, actor1, name0, name1, body, captured, type);                     \
  }

PASSES_POINT(knotChecked, CHECKED)
PASSES_POINT(knotCheckedThrowing, CHECKED_THROWING)

REPLACES SWIFT_CC void *swift_continuation_init(void *context, size_t flags) {
  knot_pass_point();
  void *task = NEXT(swift_continuation_init)(context, flags);
  // If there are runs within runs, a task of another run may have resumed this task before.
  if (knotCurrent && atomic_load_explicit(&knotInnerRuns, memory_order_relaxed) == 0) {
    knotRemove(&knotCurrent->resumed, task);
  } else {
    knotForget(task);
  }
  return task;
}

REPLACES SWIFT_CC void swift_continuation_resume(void *task) {
  if (!wasResumed(task)) NEXT(swift_continuation_resume)(task);
}

REPLACES SWIFT_CC void swift_continuation_throwingResume(void *task) {
  if (!wasResumed(task)) NEXT(swift_continuation_throwingResume)(task);
}

REPLACES SWIFT_CC void swift_continuation_throwingResumeWithError(void *task, void *error) {
  if (!wasResumed(task)) NEXT(swift_continuation_throwingResumeWithError)(task, error);
}

REPLACES SWIFT_CC void swift_willThrow(SWIFT_CONTEXT void *self, SWIFT_ERROR void **error) {
  KnotRun *run = knotCurrent;
  if (run && run->kit.throws) run->kit.throws(run->owner, *error, CALLER());
  NEXT(swift_willThrow)(self, error);
}

// MARK: Actors

/// A lazily created object belongs to the process, not to the run that uses it first, so nothing interrupts its creation.
REPLACES void swift_once(void *predicate, void (*function)(void *), void *context) {
  knotIndivisible++;
  NEXT(swift_once)(predicate, function, context);
  knotIndivisible--;
}

REPLACES SWIFT_CC void swift_defaultActor_initialize(void *actor) {
  NEXT(swift_defaultActor_initialize)(actor);
  if (knotCurrent && knotIndivisible == 0) knotAdd(&knotCurrent->actors, actor);
}

REPLACES SWIFT_CC void swift_defaultActor_destroy(void *actor) {
  knotForget(actor);
  NEXT(swift_defaultActor_destroy)(actor);
}

/// Code may assert that it runs on the main queue. In a run, code that runs on the run's own main actor passes this check.
REPLACES void dispatch_assert_queue(const void *queue) {
  KnotRun *run = knotCurrent;
  if (run && queue == &_dispatch_main_q &&
      swift_task_getCurrentExecutor().identity == run->mainExecutor.identity) {
    return;
  }
  NEXT(dispatch_assert_queue)(queue);
}

// MARK: Functions that the kit calls

void knot_run_job(KnotRun *run, const void *job, const void *actor, bool isMain, bool prefers) {
  runJob(run, job, actor, isMain, prefers);
  if (run->crew) knotSettle(run);
}

void knot_enqueue(const void *job, const void *actor) { swift_task_enqueue(job, actor, 0); }

uint64_t knot_task_number(const void *job) {
  return (((const Job *)job)->flags & 0xff) == taskKind ? swift_task_getJobTaskId(job) : 0;
}

const void *knot_drained_actor(const void *job) {
  // A job that drains an actor's queue stores the actor after the part that all jobs have in common.
  if ((((const Job *)job)->flags & 0xff) != actorKind) return NULL;
  return *(const void *const *)((const Job *)job + 1);
}

#endif

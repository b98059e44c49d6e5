// The hooks of the runtime that an exploration needs, and the time that its clocks read.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <time.h>

static MainHook *mainBefore;
static GlobalHook *globalBefore;

static SWIFT_CC KnotExecutor mainExecutor(MainOriginal *original) {
  KnotRun *run = knotRunOfCurrentTask();
  if (run) return run->mainExecutor;
  return mainBefore ? mainBefore(original) : original();
}

static SWIFT_CC void enqueueGlobal(const void *job, GlobalOriginal *original) {
  KnotRun *run = knotCurrent;
  uint64_t number;
  // A task that is younger than the run, and was made by its thread, but not through the entry point that
  // the kit replaces. An older task only goes on.
  if (run && (number = knot_task_number(job)) > run->firstTask) {
    atomic_fetch_add_explicit(&run->escaped, 1, memory_order_relaxed);
  }
  globalBefore ? globalBefore(job, original) : original(job);
}

// MARK: Time

static _Thread_local size_t wallClockReadings;

size_t knot_take_wall_clock_readings(void) {
  size_t readings = wallClockReadings;
  wallClockReadings = 0;
  return readings;
}

REPLACES int clock_gettime(clockid_t clock, struct timespec *time) {
  KnotRun *run = knotCurrent;
  const void *caller = CALLER();
  // A call from there asks the time for a clock of Swift.
  if (run && knotIsIn(&knotConcurrency, caller)) {
    time->tv_sec = run->seconds;
    time->tv_nsec = run->nanoseconds;
    return 0;
  }
  // The testing library reads it for each issue.
  if (run && clock == CLOCK_REALTIME && !knotIsIn(&knotTesting, caller)) wallClockReadings++;
  return NEXT(clock_gettime)(clock, time);
}

/// Where the run's executor does not say that it can keep a job until a deadline, because the compiler did not know how it
/// would, the runtime has Dispatch keep the job of a task that sleeps.
REPLACES void dispatch_after_f(uint64_t when, void *queue, void *job, void (*work)(void *)) {
  KnotRun *run = knotCurrent;
  const void *caller = CALLER();
  if (run && knotIsIn(&knotConcurrency, caller) && knotIsTask(job)) {
    run->kit.sleep(run->owner, job, when & dispatchNanoseconds);
  } else {
    NEXT(dispatch_after_f)(when, queue, job, work);
  }
}

void knot_install(void) {
  knotInstallLastWords();
  if (&swift_task_getMainExecutor_hook) {
    mainBefore = swift_task_getMainExecutor_hook;
    swift_task_getMainExecutor_hook = mainExecutor;
  }
  if (&swift_task_enqueueGlobal_hook) {
    globalBefore = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueueGlobal;
  }
}

#endif

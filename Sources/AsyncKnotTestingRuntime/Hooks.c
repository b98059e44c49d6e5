// The hooks of the runtime that an exploration needs, and the time that its clocks read.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

typedef SWIFT_CC KnotExecutor MainOriginal(void);
typedef SWIFT_CC KnotExecutor MainHook(MainOriginal *original);
typedef SWIFT_CC void GlobalOriginal(const void *job);
typedef SWIFT_CC void GlobalHook(const void *job, GlobalOriginal *original);

extern MainHook *swift_task_getMainExecutor_hook __attribute__((weak));
extern GlobalHook *swift_task_enqueueGlobal_hook __attribute__((weak));

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

/// The addresses of the concurrency library's code. A call from there asks the time for a clock of Swift.
static uintptr_t libraryStart, libraryEnd;

static int findLibrary(struct dl_phdr_info *info, size_t size, void *inside) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    if ((uintptr_t)inside < start || (uintptr_t)inside >= start + part->p_memsz) continue;
    libraryStart = start;
    libraryEnd = start + part->p_memsz;
    return 1;
  }
  return 0;
}

static _Thread_local size_t wallClockReadings;

size_t knot_take_wall_clock_readings(void) {
  size_t readings = wallClockReadings;
  wallClockReadings = 0;
  return readings;
}

REPLACES int clock_gettime(clockid_t clock, struct timespec *time) {
  KnotRun *run = knotCurrent;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  if (run && caller >= libraryStart && caller < libraryEnd) {
    time->tv_sec = run->seconds;
    time->tv_nsec = run->nanoseconds;
    return 0;
  }
  // The testing library reads it for each issue.
  if (run && clock == CLOCK_REALTIME && !knotIsInTesting((void *)caller)) wallClockReadings++;
  return NEXT(clock_gettime)(clock, time);
}

static void install(void) {
  void *inside = dlsym(RTLD_DEFAULT, "swift_get_time");
  if (inside) dl_iterate_phdr(findLibrary, inside);
  if (&swift_task_getMainExecutor_hook) {
    mainBefore = swift_task_getMainExecutor_hook;
    swift_task_getMainExecutor_hook = mainExecutor;
  }
  if (&swift_task_enqueueGlobal_hook) {
    globalBefore = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueueGlobal;
  }
}

void knot_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

#endif

#include "AsyncKnotThread.h"
#include <stdatomic.h>
#include <stdio.h>

#if defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <mach/mach_time.h>
#else
#include <time.h>
#endif

_Thread_local AsyncKnotReducer asyncKnotReducer;

uint32_t asyncKnotTick(void) {
#if defined(_WIN32)
  return (uint32_t)GetTickCount64();
#elif defined(__APPLE__)
  return (uint32_t)(mach_approximate_time() >> 17);
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint32_t)now.tv_nsec + (uint32_t)now.tv_sec;
#endif
}

void asyncKnotWarnOnce(uintptr_t type, const char *text) {
  // Atomics instead of a mutex, because an exploration may switch tasks when a mutex is unlocked.
  static _Atomic(uintptr_t) warned[64];
  for (int index = 0; index < 64; index++) {
    uintptr_t known = 0;
    if (atomic_compare_exchange_strong(&warned[index], &known, type)) {
      fprintf(stderr, "%s\n", text);
      return;
    }
    if (known == type) return;
  }
}

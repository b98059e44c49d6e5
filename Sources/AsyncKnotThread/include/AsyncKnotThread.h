// What the Swift language lacks: a thread-local variable, and a clock that costs next to nothing.
#ifndef ASYNC_KNOT_THREAD_H
#define ASYNC_KNOT_THREAD_H

#include <stdint.h>

/// The reducer that runs on a thread.
typedef struct {
  /// The type of the state that is reduced; null while no reducer runs.
  const void *_Nullable state;
  /// What the reducer has ended, to be carried out when the lock is released; null if nothing.
  void *_Nullable endings;
} AsyncKnotReducer;

#if defined(__linux__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local AsyncKnotReducer asyncKnotReducer;

/// The reducer of the calling thread.
static inline AsyncKnotReducer *_Nonnull asyncKnotCurrentReducer(void) {
  return &asyncKnotReducer;
}

/// A number that changes every few milliseconds; reading it takes about three nanoseconds.
uint32_t asyncKnotTick(void);

#endif

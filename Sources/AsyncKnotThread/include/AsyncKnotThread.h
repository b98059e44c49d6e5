// What the Swift language lacks: a thread-local variable, a clock and a look at the task's
// cancellation that cost next to nothing, and the standard error output.
#ifndef ASYNC_KNOT_THREAD_H
#define ASYNC_KNOT_THREAD_H

#include <stdbool.h>
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

// Two entry points of the Swift runtime, of its stable binary interface.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(const void *_Nonnull task);

/// `Task.isCancelled`, which in Swift retains the task, and so takes as long as a reduction.
static inline bool asyncKnotTaskIsCancelled(void) {
  const void *task = swift_task_getCurrent();
  return task && swift_task_isCancelled(task);
}

/// Prints a line on the standard error output.
void asyncKnotWarn(const char *_Nonnull text);

#endif

// Features that Swift's standard library lacks: a thread-local variable, a very cheap clock, a very cheap check for cancellation,
// and output to standard error.
#ifndef ASYNC_KNOT_THREAD_H
#define ASYNC_KNOT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

/// The reducer that is running on a thread.
typedef struct {
  /// The type of the state that is being reduced; null while no reducer is running.
  const void *_Nullable state;
  /// The closures to call after the reducer's lock is released; null if there are none.
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

/// Returns a number that changes every few milliseconds; the call takes about three nanoseconds.
uint32_t asyncKnotTick(void);

// Two entry points of the Swift runtime. They belong to its stable binary interface.
__attribute__((swiftcall)) extern void *_Nullable swift_task_getCurrent(void);
__attribute__((swiftcall)) extern bool swift_task_isCancelled(const void *_Nonnull task);

/// Like `Task.isCancelled`, but does not retain the task. Reading `Task.isCancelled` takes as long as a reduction.
static inline bool asyncKnotTaskIsCancelled(void) {
  const void *task = swift_task_getCurrent();
  return task && swift_task_isCancelled(task);
}

/// Prints a line to standard error, unless a line has already been printed for this type or for 64 other types.
void asyncKnotWarnOnce(uintptr_t type, const char *_Nonnull text);

#endif

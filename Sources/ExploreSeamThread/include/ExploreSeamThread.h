// What the Swift language lacks: a thread-local variable.
#ifndef EXPLORE_SEAM_THREAD_H
#define EXPLORE_SEAM_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/// A run of an exploration, as code that it explores sees it: how each begins.
typedef struct {
  const void *_Nonnull owner;
  /// Decides between so many ways, of which the first is the plain one.
  size_t (*_Nonnull decide)(const void *_Nonnull owner, const char *_Nonnull name, size_t count,
                            bool isFault);
  /// Hears in words what was decided, in a run that is written down; null in others.
  void (*_Nullable tell)(const void *_Nonnull owner, const char *_Nonnull words, bool isFault);
} ExploreRun;

#if defined(__linux__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local struct KnotRun *_Nullable knotCurrent;

/// The run that the calling thread works for; null outside of an exploration.
static inline const ExploreRun *_Nullable exploreCurrentRun(void) {
  return (const ExploreRun *)knotCurrent;
}

#endif

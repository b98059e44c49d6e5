// A thread-local variable, which Swift lacks.
#ifndef EXPLORE_SEAM_THREAD_H
#define EXPLORE_SEAM_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/// The first members of each run, which the code under test uses through `fault` and `choose`.
typedef struct {
  const void *_Nonnull owner;
  /// Chooses one of `count` options; 0 is the default.
  size_t (*_Nonnull decide)(const void *_Nonnull owner, const char *_Nonnull name, size_t count,
                            bool isFault);
  /// Records a decision in words; null unless the run is recorded.
  void (*_Nullable tell)(const void *_Nonnull owner, const char *_Nonnull words, bool isFault);
} ExploreRun;

#if defined(__linux__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local struct KnotRun *_Nullable knotCurrent;

/// The run that the calling thread works for; null outside an exploration.
static inline const ExploreRun *_Nullable exploreCurrentRun(void) {
  return (const ExploreRun *)knotCurrent;
}

#endif

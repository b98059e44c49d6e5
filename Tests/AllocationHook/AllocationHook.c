#define _GNU_SOURCE
#include "AllocationHook.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static void (*_Atomic hook)(void);

void onAllocation(void (*function)(void)) { hook = function; }

#if defined(__linux__)
typedef void *Allocate(const void *type, size_t size, size_t alignment);

/// Replaces the runtime's function. A definition in the program takes precedence over one in a shared library.
__attribute__((weak)) void *swift_allocObject(const void *type, size_t size, size_t alignment) {
  static Allocate *_Atomic next;
  if (!next) next = (Allocate *)dlsym(RTLD_NEXT, "swift_allocObject");
  void (*function)(void) = atomic_load_explicit(&hook, memory_order_relaxed);
  if (function) function();
  return next(type, size, alignment);
}
#endif

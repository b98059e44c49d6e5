// The state of a task for a report: whether it has ended, what it waits for, and in which functions.
//
// It reads memory of the runtime as debuggers do, only for a report.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <link.h>
#include <string.h>

char *knot_unknown_layout(void) {
  bool tells = &_swift_concurrency_debug_asyncTaskMetadata && &_swift_concurrency_debug_asyncTaskSize &&
               &_swift_concurrency_debug_internal_layout_version;
  return knot_unknown(tells ? _swift_concurrency_debug_internal_layout_version : 0,
                      tells ? _swift_concurrency_debug_asyncTaskSize : 0);
}

char *knot_unknown(uint32_t version, uint32_t size) {
  char text[128];
  if (version == knownLayoutVersion && size == knownTaskSize) return NULL;
  snprintf(text, sizeof text, "its tasks have layout %u and %u bytes; known is layout %d with %d",
           version, size, knownLayoutVersion, knownTaskSize);
  return strdup(text);
}

/// Reads a name, but not past the end of a page, behind which nothing may be.
static void readName(char *name, const char *from) {
  size_t size = 0x1000 - ((uintptr_t)from & 0xfff);
  knotRead(name, from, size < knotNameLength ? size : knotNameLength - 1);
}

bool knot_read_task(const void *pointer, KnotTask *result) {
  *result = (KnotTask){.state = knotTaskUnknown};
  Task task;
  // A task that was freed has lost its metadata.
  if (!knotRead(&task, pointer, sizeof task) ||
      task.metadata != _swift_concurrency_debug_asyncTaskMetadata) {
    return false;
  }
  result->number = task.number;
  result->isCancelled = task.status & isCancelled;
  result->isRunning = task.status & isRunning;
  if (task.status & isComplete) {
    result->state = knotTaskEnded;
    return true;
  }
  if (task.flags & isInGroup) knotRead(&result->parent, (char *)pointer + knownTaskSize, sizeof(void *));
  const Record *next = task.record;
  Record record;
  for (int i = 0; i < 100 && next && knotRead(&record, next, sizeof record); i++) {
    next = record.parent;
    int kind = record.flags & 0xff;
    if (kind == nameRecord) readName(result->name, record.dependent);
    if (kind == dependencyRecord && task.status & hasDependency && record.waiting == pointer &&
        record.dependency >= 1 && record.dependency <= 4) {
      result->on = record.dependent;
      result->state = (KnotTaskState)record.dependency;
    }
  }
  if (task.resume) result->frames[result->count++] = task.resume;
  // A context begins with the context of the caller and the function that goes on there.
  const void *context[2] = {task.context, NULL};
  while (result->count < knotFrameCount && context[0] &&
         knotRead(context, context[0], sizeof context)) {
    if (context[1]) result->frames[result->count++] = context[1];
  }
  return true;
}

// MARK: Modules

KnotModule knotProgram, knotConcurrency, knotTesting, knotFoundation;

/// Looks whether a file that is loaded has the code at `start`, and fills in the rest.
static int matchModule(struct dl_phdr_info *info, size_t size, void *data) {
  KnotModule *module = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || module->start < start) continue;
    if (module->start >= start + part->p_memsz) continue;
    *module = (KnotModule){start, start + part->p_memsz, info->dlpi_addr,
                           info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe"};
    return 1;
  }
  return 0;
}

static bool findModule(KnotModule *module, const void *address) {
  *module = (KnotModule){.start = (uintptr_t)address};
  bool isFound = address && dl_iterate_phdr(matchModule, module);
  if (!isFound) *module = (KnotModule){0};
  return isFound;
}

__attribute__((constructor)) static void findModules(void) {
  findModule(&knotProgram, (const void *)knot_install);
  findModule(&knotConcurrency, dlsym(RTLD_DEFAULT, IN_CONCURRENCY));
  findModule(&knotTesting, dlsym(RTLD_DEFAULT, IN_TESTING));
  findModule(&knotFoundation, dlsym(RTLD_DEFAULT, IN_FOUNDATION));
}

// MARK: Names

const char *knot_file(const void *address, uintptr_t *offset) {
  KnotModule module;
  if (!findModule(&module, address)) return NULL;
  *offset = (uintptr_t)address - module.base;
  return module.path;
}

char *knot_demangled(const char *name) {
  return swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
}

#else

char *knot_unknown_layout(void) { return NULL; }
char *knot_unknown(uint32_t version, uint32_t size) { return NULL; }
bool knot_read_task(const void *task, KnotTask *result) { return false; }
const char *knot_file(const void *address, uintptr_t *offset) { return NULL; }
char *knot_demangled(const char *name) { return NULL; }

#endif

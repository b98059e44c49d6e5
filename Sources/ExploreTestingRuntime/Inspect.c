// The state of a task: whether it has ended, what it is waiting for, and its suspended functions.
//
// This file reads the runtime's memory like a debugger.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <link.h>
#include <string.h>

static KnotLayout layout;

void knot_set_layout(KnotLayout found) { layout = found; }

uint32_t knot_task_size(void) {
  return &_swift_concurrency_debug_asyncTaskSize ? _swift_concurrency_debug_asyncTaskSize : 0;
}

/// Reads a name, but not beyond its memory page, because the next page may not exist.
static void readName(char *name, const char *from) {
  size_t size = 0x1000 - ((uintptr_t)from & 0xfff);
  knot_read(name, from, size < knotNameLength ? size : knotNameLength - 1);
}

static bool has(const void *task, KnotFlag flag) {
  uint32_t word;
  return flag.mask && knot_read(&word, (const char *)task + flag.place, sizeof word) &&
         word & flag.mask;
}

/// Reads a pointer from the runtime's memory; null if the memory is not readable.
static const void *pointerAt(const void *base, uint32_t place) {
  const void *pointer;
  return knot_read(&pointer, (const char *)base + place, sizeof pointer) ? pointer : NULL;
}

bool knotIsTask(const void *address) {
  return layout.metadata && (uintptr_t)pointerAt(address, 0) == layout.metadata;
}

/// Reads, from a task's dependency record, what the task is waiting for.
static void readWait(const void *task, const char *record, KnotTask *result) {
  uint32_t reason;
  if (!layout.on || !has(task, layout.waiting) || pointerAt(record, layout.waiter) != task ||
      !knot_read(&reason, record + layout.reason, sizeof reason)) {
    return;
  }
  for (int i = 0; i < 4; i++) {
    if (reason != layout.reasons[i] || !reason) continue;
    result->on = pointerAt(record, layout.on);
    result->state = (KnotTaskState)(i + 1);
  }
}

bool knot_read_task(const void *pointer, KnotTask *result) {
  *result = (KnotTask){.state = knotTaskUnknown};
  Task task;
  // A freed task has lost its metadata.
  if (!layout.metadata || !knot_read(&task, pointer, sizeof task) ||
      task.metadata != layout.metadata) {
    return false;
  }
  result->number = task.number;
  result->isCancelled = has(pointer, layout.cancelled);
  result->isRunning = has(pointer, layout.running);
  if (has(pointer, layout.ended)) {
    result->state = knotTaskEnded;
    return true;
  }
  if (task.flags & layout.inGroup) result->parent = pointerAt(pointer, layout.parent);
  const char *record = layout.record ? pointerAt(pointer, layout.record) : NULL;
  uint8_t kind;
  for (int i = 0; i < 100 && record && knot_read(&kind, record, sizeof kind); i++) {
    if (kind == layout.dependency) readWait(pointer, record, result);
    if (layout.name && kind == layout.named) readName(result->name, pointerAt(record, layout.name));
    record = layout.next ? pointerAt(record, layout.next) : NULL;
  }
  if (task.resume) result->frames[result->count++] = task.resume;
  // A context starts with the caller's context and the function that continues there.
  const void *context[2] = {task.context, NULL};
  while (result->count < knotFrameCount && context[0] &&
         knot_read(context, context[0], sizeof context)) {
    if (context[1]) result->frames[result->count++] = context[1];
  }
  return true;
}

// MARK: Modules

KnotModule knotProgram, knotConcurrency, knotTesting, knotFoundation, knotEssentials;

/// Checks whether a loaded file contains the code at `start`, and fills in the rest.
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
  findModule(&knotEssentials, dlsym(RTLD_DEFAULT, IN_ESSENTIALS));
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

void knot_set_layout(KnotLayout layout) {}
uint32_t knot_task_size(void) { return 0; }
bool knot_read_task(const void *task, KnotTask *result) { return false; }
const char *knot_file(const void *address, uintptr_t *offset) { return NULL; }
char *knot_demangled(const char *name) { return NULL; }

#endif

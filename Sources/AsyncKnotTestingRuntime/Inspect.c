// The state of a task for a report: whether it has ended, what it waits for, and in which functions.
//
// It reads memory of the runtime as debuggers do, only for a report.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// How a task begins; `include/swift/ABI/Task.h` and `TaskPrivate.h` of the Swift project, 6.2 and 6.3.
typedef struct {
  const void *metadata;
  void *counts, *queue[2];
  uint32_t flags, number;
  void *voucher, *reservedJob;
  const void *resume;
  const void *const *context;
  void *reserved;
  void *allocation[2];
  uint32_t status;
  uint32_t unused;
  const struct Record *record;
} Task;

/// A status record of a task, such as the dependency on what it awaits.
typedef struct Record {
  size_t kind;
  const struct Record *parent;
  const void *dependent;
  void *second;
  uint32_t dependency;
  const void *waiting;
} Record;

enum { isCancelled = 0x100, isRunning = 0x800, isComplete = 0x2000, hasDependency = 0x4000 };

extern const void *const _swift_concurrency_debug_asyncTaskMetadata __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));

char *knot_unknown_layout(void) {
  if (!&_swift_concurrency_debug_asyncTaskMetadata || !&_swift_concurrency_debug_asyncTaskSize ||
      !&_swift_concurrency_debug_internal_layout_version) {
    return strdup("the runtime does not say how its tasks are laid out");
  }
  uint32_t version = _swift_concurrency_debug_internal_layout_version;
  uint32_t size = _swift_concurrency_debug_asyncTaskSize;
  char text[128];
  if (version == 1 && size == 208) return NULL;
  snprintf(text, sizeof text, "its tasks have layout %u and %u bytes; known is layout 1 with 208",
           version, size);
  return strdup(text);
}

/// Reads the beginning of a task; returns whether the task with that number is still there.
static bool readTask(Task *task, const void *pointer, uint64_t number) {
  // A task that was freed has lost its metadata; a new one at its address has another number.
  return knotRead(task, pointer, sizeof *task) &&
         task->metadata == _swift_concurrency_debug_asyncTaskMetadata &&
         (!number || task->number == (uint32_t)number);
}

bool knotIsUnfinished(const void *pointer, uint64_t number) {
  Task task;
  return readTask(&task, pointer, number) && !(task.status & isComplete);
}

bool knot_read_task(const void *pointer, uint64_t number, KnotTask *result) {
  *result = (KnotTask){.state = knotTaskUnknown};
  Task task;
  if (!readTask(&task, pointer, number)) return false;
  result->isCancelled = task.status & isCancelled;
  result->isRunning = task.status & isRunning;
  if (task.status & isComplete) {
    result->state = knotTaskEnded;
    return true;
  }
  const Record *next = task.status & hasDependency ? task.record : NULL;
  Record record;
  while (next && knotRead(&record, next, sizeof record)) {
    next = record.parent;
    if (record.kind != 0) continue;
    if (record.waiting == pointer && record.dependency >= 1 && record.dependency <= 4) {
      result->on = record.dependent;
      result->state = (KnotTaskState)record.dependency;
    }
    break;
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

// MARK: Names

typedef struct {
  uintptr_t address;
  uintptr_t base;
  const char *path;
} Search;

static int findModule(struct dl_phdr_info *info, size_t size, void *data) {
  Search *search = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || search->address < start) continue;
    if (search->address >= start + part->p_memsz) continue;
    search->base = info->dlpi_addr;
    search->path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
    return 1;
  }
  return 0;
}

/// Looks an address up in the symbols of the file it was loaded from, static ones included.
static const char *staticSymbol(const Search *search) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct { const char *path; const char *start; size_t size; } files[64];
  const char *result = NULL;
  pthread_mutex_lock(&lock);
  size_t index = 0;
  while (index < 64 && files[index].path && strcmp(files[index].path, search->path)) index++;
  if (index < 64 && !files[index].path) {
    files[index].path = strdup(search->path);
    int file = open(search->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0) {
      void *start = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
      if (start != MAP_FAILED) {
        files[index].start = start;
        files[index].size = status.st_size;
      }
    }
    if (file >= 0) close(file);
  }
  if (index < 64 && files[index].start && files[index].size > sizeof(ElfW(Ehdr))) {
    const char *start = files[index].start;
    const ElfW(Ehdr) *header = (const void *)start;
    const ElfW(Shdr) *sections = (const void *)(start + header->e_shoff);
    for (int i = 0; i < header->e_shnum && !result; i++) {
      if (sections[i].sh_type != SHT_SYMTAB) continue;
      const ElfW(Sym) *symbols = (const void *)(start + sections[i].sh_offset);
      const char *names = start + sections[sections[i].sh_link].sh_offset;
      uintptr_t offset = search->address - search->base;
      for (size_t j = 0; j < sections[i].sh_size / sizeof(ElfW(Sym)); j++) {
        if ((symbols[j].st_info & 0xf) != STT_FUNC || offset < symbols[j].st_value) continue;
        if (offset >= symbols[j].st_value + symbols[j].st_size) continue;
        result = names + symbols[j].st_name;
        break;
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}

extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size,
                            uint32_t flags) __attribute__((weak));

const char *knot_file(const void *address, uintptr_t *offset) {
  Search search = {(uintptr_t)address, 0, NULL};
  dl_iterate_phdr(findModule, &search);
  *offset = search.address - search.base;
  return search.path;
}

char *knot_function_name(const void *address) {
  Search search = {(uintptr_t)address, 0, NULL};
  if (!dl_iterate_phdr(findModule, &search)) return NULL;
  const char *name = staticSymbol(&search);
  Dl_info info;
  if (!name && dladdr(address, &info)) name = info.dli_sname;
  if (!name) return NULL;
  char *demangled = swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
  return demangled ? demangled : strdup(name);
}

#else

char *knot_unknown_layout(void) { return NULL; }
bool knot_read_task(const void *task, uint64_t number, KnotTask *result) { return false; }
const char *knot_file(const void *address, uintptr_t *offset) { return NULL; }
char *knot_function_name(const void *address) { return NULL; }

#endif

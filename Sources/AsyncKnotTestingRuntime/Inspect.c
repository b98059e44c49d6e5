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
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

char *knot_unknown_layout(void) {
  if (!&_swift_concurrency_debug_asyncTaskMetadata || !&_swift_concurrency_debug_asyncTaskSize ||
      !&_swift_concurrency_debug_internal_layout_version) {
    return knot_unknown(0, 0);
  }
  return knot_unknown(_swift_concurrency_debug_internal_layout_version,
                      _swift_concurrency_debug_asyncTaskSize);
}

char *knot_unknown(uint32_t version, uint32_t size) {
  if (version == 0) return strdup("the runtime does not say how its tasks are laid out");
  char text[128];
  if (version == knownLayoutVersion && size == knownTaskSize) return NULL;
  snprintf(text, sizeof text, "its tasks have layout %u and %u bytes; known is layout %d with %d",
           version, size, knownLayoutVersion, knownTaskSize);
  return strdup(text);
}

bool knot_read_task(const void *pointer, uint64_t number, KnotTask *result) {
  *result = (KnotTask){.state = knotTaskUnknown};
  Task task;
  // A task that was freed has lost its metadata; a new one at its address has another number.
  if (!knotRead(&task, pointer, sizeof task) ||
      task.metadata != _swift_concurrency_debug_asyncTaskMetadata ||
      (number && task.number != (uint32_t)number)) {
    return false;
  }
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

/// Looks an address up in the symbols of a file that is in memory, static ones included.
static const char *symbol(const char *start, uintptr_t offset) {
  const ElfW(Ehdr) *header = (const void *)start;
  const ElfW(Shdr) *sections = (const void *)(start + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym) *symbols = (const void *)(start + sections[i].sh_offset);
    for (size_t j = 0; j < sections[i].sh_size / sizeof(ElfW(Sym)); j++) {
      if ((symbols[j].st_info & 0xf) != STT_FUNC || offset < symbols[j].st_value) continue;
      if (offset >= symbols[j].st_value + symbols[j].st_size) continue;
      return start + sections[sections[i].sh_link].sh_offset + symbols[j].st_name;
    }
  }
  return NULL;
}

/// The name of a function, also of a static one, as the file has it that the function was loaded from; to be freed.
static char *staticName(const KnotModule *module, uintptr_t offset) {
  struct stat status;
  int file = open(module->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  size_t size = fstat(file, &status) == 0 ? status.st_size : 0;
  void *start = size > sizeof(ElfW(Ehdr)) ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (start == MAP_FAILED) return NULL;
  const char *found = symbol(start, offset);
  char *name = found ? strdup(found) : NULL;
  munmap(start, size);
  return name;
}

const char *knot_file(const void *address, uintptr_t *offset) {
  KnotModule module;
  if (!findModule(&module, address)) return NULL;
  *offset = (uintptr_t)address - module.base;
  return module.path;
}

char *knot_function_name(const void *address) {
  KnotModule module;
  if (!findModule(&module, address)) return NULL;
  char *name = staticName(&module, (uintptr_t)address - module.base);
  Dl_info info;
  if (!name && dladdr(address, &info) && info.dli_sname) name = strdup(info.dli_sname);
  char *demangled =
      name && swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
  if (demangled) free(name);
  return demangled ? demangled : name;
}

#else

char *knot_unknown_layout(void) { return NULL; }
char *knot_unknown(uint32_t version, uint32_t size) { return NULL; }
bool knot_read_task(const void *task, uint64_t number, KnotTask *result) { return false; }
const char *knot_file(const void *address, uintptr_t *offset) { return NULL; }
char *knot_function_name(const void *address) { return NULL; }

#endif

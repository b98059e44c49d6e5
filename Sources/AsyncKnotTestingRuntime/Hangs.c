// The tasks of tests that are watched, and what they and the threads do: for a test that hangs.
//
// All that is read here may change or be freed meanwhile, so the kernel copies it: an address that is gone is
// an answer, not a crash. Nothing is noted, and no thread interrupted, unless somebody asked to explain hangs.

#define _GNU_SOURCE
#include "Internal.h"


#if KNOT_SUPPORTED

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

_Atomic bool knotNotesTasks;

bool knotRead(void *to, const void *from, size_t size) {
  struct iovec local = {to, size}, remote = {(void *)from, size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

// MARK: Notes

/// The notes by the address of their task. A task that comes to an address at which there was one before takes its
/// place, so the table is as large as the most tasks that lived at once.
static KnotTable notes;
static pthread_mutex_t notesLock = PTHREAD_MUTEX_INITIALIZER;

/// The note of a task, which is made where there is none. The lock is held.
static KnotNote *noteOf(const void *task) {
  struct KnotPlace *place = knotFindRoom(&notes, task);
  KnotNote *note = place->value;
  uint64_t number = swift_task_getJobTaskId(task);
  if (!note) {
    *place = (struct KnotPlace){task, note = calloc(1, sizeof(KnotNote))};
    notes.used++;
  }
  if (note->number == number) return note;
  free(note->name);
  *note = (KnotNote){.task = task, .number = number};
  return note;
}

/// The test for which a task works: that of the task that made it, or of the one that made that. The lock is held.
static uint64_t scopeOf(const KnotNote *note) {
  while (note->scope == 0 && note->creator) {
    const KnotNote *maker = knotFind(&notes, note->creator)->value;
    if (!maker || maker->number != note->creatorNumber) break;
    note = maker;
  }
  return note->scope;
}

void knotNoteTask(const void *task, const char *name, const void *group) {
  const void *creator = swift_task_getCurrent();
  pthread_mutex_lock(&notesLock);
  // The task may run already, on another thread, and have been noted there.
  KnotNote *note = noteOf(task);
  note->creator = creator;
  note->creatorNumber = creator ? swift_task_getJobTaskId(creator) : 0;
  note->scope = scopeOf(note);
  note->group = group;
  free(note->name);
  note->name = name ? strdup(name) : NULL;
  pthread_mutex_unlock(&notesLock);
}

uint64_t knot_set_scope(uint64_t scope) {
  const void *task = swift_task_getCurrent();
  if (!task) return 0;
  pthread_mutex_lock(&notesLock);
  KnotNote *note = noteOf(task);
  uint64_t before = note->scope;
  note->scope = scope;
  pthread_mutex_unlock(&notesLock);
  return before;
}

size_t knot_notes(KnotNote *result, size_t count) {
  size_t found = 0;
  pthread_mutex_lock(&notesLock);
  for (size_t i = 0; i < notes.capacity && found < count; i++) {
    const KnotNote *note = notes.places[i].value;
    if (!note) continue;
    result[found] = *note;
    result[found].scope = scopeOf(note);
    if (note->name) result[found].name = strdup(note->name);
    found++;
  }
  pthread_mutex_unlock(&notesLock);
  return found;
}

// MARK: Tests

/// Whether tests are watched that do not ask for it: `EXPLAIN_HANGS` in the environment.
static bool watchesTests;

/// Begins to watch a test if the calling task has just begun one: the number of its scope, or 0.
extern uint64_t knot_test_begins(void) __attribute__((weak));
extern void knot_test_ends(uint64_t scope) __attribute__((weak));

/// The testing library says by a task-local value which test runs.
REPLACES SWIFT_CC void swift_task_localValuePush(const void *key, void *value, const void *type) {
  const void *caller = CALLER();
  NEXT(swift_task_localValuePush)(key, value, type);
  if (__builtin_expect(!watchesTests, 1) || !knotIsIn(&knotTesting, caller)) return;
  const void *task = swift_task_getCurrent();
  if (!task) return;
  pthread_mutex_lock(&notesLock);
  KnotNote *note = noteOf(task);
  if (note->depth) note->depth++;
  bool mayBegin = note->scope == 0;
  pthread_mutex_unlock(&notesLock);
  uint64_t scope = mayBegin ? knot_test_begins() : 0;
  if (!scope) return;
  pthread_mutex_lock(&notesLock);
  note = noteOf(task);
  note->scope = scope;
  note->depth = 1;
  pthread_mutex_unlock(&notesLock);
}

REPLACES SWIFT_CC void swift_task_localValuePop(void) {
  const void *task, *caller = CALLER();
  if (__builtin_expect(watchesTests, 0) && knotIsIn(&knotTesting, caller) &&
      (task = swift_task_getCurrent())) {
    pthread_mutex_lock(&notesLock);
    KnotNote *note = noteOf(task);
    uint64_t ended = note->depth && --note->depth == 0 ? note->scope : 0;
    if (ended) note->scope = 0;
    pthread_mutex_unlock(&notesLock);
    if (ended) knot_test_ends(ended);
  }
  NEXT(swift_task_localValuePop)();
}

/// A task that sleeps asks Dispatch to wake it.
REPLACES void dispatch_after_f(uint64_t when, void *queue, void *context, void *function) {
  const void *task, *caller = CALLER();
  if (knotNotesTasks && knotIsIn(&knotConcurrency, caller) &&
      (task = swift_task_getCurrent())) {
    pthread_mutex_lock(&notesLock);
    // The highest bit says which clock counts; both count nanoseconds since the machine was started.
    noteOf(task)->wakes = when & ~(1ull << 63);
    pthread_mutex_unlock(&notesLock);
  }
  NEXT(dispatch_after_f)(when, queue, context, function);
}

static void *watch(void *tick) {
  while (true) {
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    ((void (*)(void))tick)();
  }
}

bool knotWatch(void (*tick)(void)) {
  pthread_t thread;
  bool isMade = pthread_create(&thread, NULL, watch, (void *)tick) == 0;
  if (isMade) pthread_detach(thread);
  return isMade;
}

bool knot_watch_hangs(void (*tick)(void)) {
  return atomic_exchange(&knotNotesTasks, true) || knotWatch(tick);
}

__attribute__((constructor)) static void load(void) {
  watchesTests = getenv("EXPLAIN_HANGS") && knot_test_begins && knot_test_ends;
}

// MARK: Threads

static KnotThread *_Atomic asked;
static sem_t answered;

static void answer(int signal, siginfo_t *info, void *context) {
  int error = errno;
  KnotThread *thread = atomic_exchange(&asked, NULL);
  if (thread) {
    thread->task = swift_task_getCurrent();
    thread->executor = swift_task_getCurrentExecutor().identity;
    thread->count = backtrace((void **)thread->frames, knotFrameCount);
    sem_post(&answered);
  }
  errno = error;
}

/// Whether a thread of the process waits in the kernel.
static bool isBlocked(int number) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[size > 0 ? size : 0] = 0;
  const char *name = strrchr(text, ')');
  return name && (name[2] == 'S' || name[2] == 'D');
}

size_t knot_threads(KnotThread *threads, size_t count) {
  // The first call loads the unwinder, which must not happen in a signal handler.
  void *first[1];
  backtrace(first, 1);
  sem_init(&answered, 0, 0);
  // Threads of Dispatch block most other signals.
  struct sigaction before, ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGPROF, &ours, &before);
  DIR *folder = opendir("/proc/self/task");
  struct dirent *entry;
  size_t found = 0;
  while (folder && found < count && (entry = readdir(folder))) {
    int number = atoi(entry->d_name);
    if (number == 0 || number == syscall(SYS_gettid)) continue;
    threads[found] = (KnotThread){.isBlocked = isBlocked(number)};
    atomic_store(&asked, &threads[found]);
    if (syscall(SYS_tgkill, getpid(), number, SIGPROF)) continue;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    // A thread that took the question and answers late still writes here, so it is waited for.
    while (sem_timedwait(&answered, &limit)) {
      if (errno == ETIMEDOUT && atomic_exchange(&asked, NULL)) goto next;
    }
    found++;
  next:;
  }
  if (folder) closedir(folder);
  if (before.sa_handler != SIG_DFL) sigaction(SIGPROF, &before, NULL);
  return found;
}

const void *knot_current_task(void) { return swift_task_getCurrent(); }

int64_t knot_uptime(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

#else

uint64_t knot_set_scope(uint64_t scope) { return 0; }
size_t knot_notes(KnotNote *result, size_t count) { return 0; }
bool knot_watch_hangs(void (*tick)(void)) { return false; }
size_t knot_threads(KnotThread *threads, size_t count) { return 0; }
const void *knot_current_task(void) { return NULL; }
int64_t knot_uptime(void) { return 0; }

#endif

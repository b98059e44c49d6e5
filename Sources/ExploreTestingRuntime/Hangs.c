// Finds out what the threads of the process are doing, to explain a test that hangs.
//
// A task may change or be freed while it is read, so the kernel copies the memory: if an address is invalid, the copy fails
// instead of crashing the process. Threads are interrupted only for a report on a hang.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

bool knot_read(void *to, const void *from, size_t size) {
  struct iovec local = {to, size}, remote = {(void *)from, size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static void *watch(void *tick) {
  while (true) {
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    ((void (*)(void))tick)();
  }
}

void knotWatch(void (*tick)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, (void *)tick)) abort();
  pthread_detach(thread);
}

void knot_watch_hangs(void (*tick)(void)) {
  if (!atomic_exchange(&knotNotesTasks, true)) knotWatch(tick);
}

/// Checks whether a test or the process has run for too long; defined in HangWatch.swift.
extern void knot_look_for_hangs(void) __attribute__((weak));

__attribute__((constructor)) static void load(void) {
  if (getenv("EXPLAIN_HANGS") && knot_look_for_hangs) knot_watch_hangs(knot_look_for_hangs);
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

size_t knot_threads(KnotThread *threads, size_t count) {
  // The first call loads the unwinder, which must not happen in a signal handler.
  void *first[1];
  backtrace(first, 1);
  sem_init(&answered, 0, 0);
  // This uses SIGPROF, because Dispatch threads block most other signals.
  struct sigaction before, ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGPROF, &ours, &before);
  DIR *folder = opendir("/proc/self/task");
  struct dirent *entry;
  size_t found = 0;
  while (folder && found < count && (entry = readdir(folder))) {
    int number = atoi(entry->d_name);
    if (number == 0 || number == syscall(SYS_gettid)) continue;
    threads[found] = (KnotThread){0};
    atomic_store(&asked, &threads[found]);
    if (syscall(SYS_tgkill, getpid(), number, SIGPROF)) continue;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    // A late thread that has already taken the request will still write to `threads`, so wait for it.
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

#else

bool knot_read(void *to, const void *from, size_t size) { return false; }
void knot_watch_hangs(void (*tick)(void)) {}
size_t knot_threads(KnotThread *threads, size_t count) { return 0; }
const void *knot_current_task(void) { return NULL; }

#endif

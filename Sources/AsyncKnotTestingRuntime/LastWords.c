// What is said of a run that ends the process, or never ends: by a signal's handler, and by a thread that watches.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct KnotLog {
  char *path;
  /// The test, and below it the file, as mapped memory: what is written there is in the file at once.
  char *test;
  char *text;
  size_t size;
  size_t seedAt;
};

KnotLog *knot_log_create(const char *path, const char *test, const char *text) {
  static const char room[] = "                    \n";
  KnotLog *log = calloc(1, sizeof(KnotLog));
  log->path = strdup(path);
  log->test = strdup(test);
  log->seedAt = strlen(text);
  log->size = log->seedAt + sizeof room - 1;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return log;
  if (ftruncate(file, log->size) == 0) {
    void *start = mmap(NULL, log->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (start != MAP_FAILED) {
      log->text = start;
      memcpy(log->text, text, log->seedAt);
      memcpy(log->text + log->seedAt, room, sizeof room - 1);
    }
  }
  close(file);
  return log;
}

void knot_log_destroy(KnotLog *log) {
  if (log->text) munmap(log->text, log->size);
  unlink(log->path);
  free(log->path);
  free(log->test);
  free(log);
}

void knot_run_log(KnotRun *run, KnotLog *log, uint64_t seed, int64_t milliseconds) {
  run->log = log;
  run->seed = seed;
  run->patience = milliseconds;
  if (!log || !log->text) return;
  for (int place = 19; place >= 0; place--, seed /= 10) {
    log->text[log->seedAt + place] = seed || place == 19 ? '0' + seed % 10 : ' ';
  }
}

static void (*lastWords)(const void *owner);
void knot_set_last_words(void (*function)(const void *owner)) { lastWords = function; }

/// Says which run it is, and how to repeat it.
static void say(KnotRun *run, const char *what) {
  char text[1024];
  int length = snprintf(
      text, sizeof text,
      "\nexplore: in %s the run of seed %llu %s, after %llu jobs; EXPLORE_SEED=%llu replays it with its lanes\n"
      "EXPLORE_REPLAY=%s replays it, too\n",
      run->log ? run->log->test : "a test", (unsigned long long)run->seed, what,
      (unsigned long long)run->jobs, (unsigned long long)run->seed, run->log ? run->log->path : "");
  if (write(2, text, length < (int)sizeof text ? length : (int)sizeof text - 1) < 0) return;
}

// MARK: Signals

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { count = sizeof signals / sizeof *signals };
static struct sigaction before[count];

/// Whether the thread that watches has sent the signal, to a thread that does not go on.
static _Atomic bool isStuck;

static void handle(int number, siginfo_t *info, void *context) {
  if (isStuck) {
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), 2);
    _exit(1);
  }
  int index = 0;
  while (index < count - 1 && signals[index] != number) index++;
  // The signal comes again, to the handler that was there before.
  sigaction(number, &before[index], NULL);
  KnotRun *run = knotCurrent;
  if (run && run->jobs) {
    // What follows may hang, where the program died in the middle of an allocation.
    signal(SIGALRM, SIG_DFL);
    alarm(10);
    char what[64];
    snprintf(what, sizeof what, "ended the process by signal %d", number);
    say(run, what);
    if (lastWords) lastWords(run->owner);
  }
  if (number == SIGABRT) raise(number);
}

// MARK: A job that never ends

static void *watch(void *unused) {
  for (;;) {
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    KnotRun *stuck = knotStuckRun();
    if (!stuck) continue;
    say(stuck, "does not go on: a job of it blocks its thread, or spins. The process ends");
    if (lastWords) lastWords(stuck->owner);
    isStuck = true;
    // Threads of the pool block all signals but those of a fault.
    pthread_kill(stuck->thread, SIGTRAP);
    nanosleep(&(struct timespec){5, 0}, NULL);
    _exit(1);
  }
  return NULL;
}

void knotInstallLastWords(void) {
  // Loads what `backtrace` needs, which a handler must not.
  void *frame;
  backtrace(&frame, 1);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  for (int i = 0; i < count; i++) sigaction(signals[i], &action, &before[i]);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}

#else

KnotLog *knot_log_create(const char *path, const char *test, const char *text) { return NULL; }
void knot_log_destroy(KnotLog *log) {}
void knot_run_log(KnotRun *run, KnotLog *log, uint64_t seed, int64_t milliseconds) {}
void knot_set_last_words(void (*function)(const void *owner)) {}

#endif

// Prints which run ends the process or never ends. A signal handler, a watching thread and the replaced `exit` functions do this.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// Prints what happened in which run, and how to replay it.
static void say(KnotRun *run, const char *what) {
  char text[640];
  int length = snprintf(
      text, sizeof text,
      "\nexplore: in %s, run %llu %s, after %llu job%s; EXPLORE_SEED=%llu replays it and reports its steps\n",
      run->test, (unsigned long long)run->number, what, (unsigned long long)run->jobs, run->jobs == 1 ? "" : "s",
      (unsigned long long)run->number);
  if (write(2, text, length) < 0) return;
}

// MARK: Signals

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGPIPE, SIGSYS};
enum { count = sizeof signals / sizeof *signals };
static struct sigaction before[count];

_Atomic bool knotIsDying;

static void handle(int number, siginfo_t *info, void *context) {
  knotIsDying = true;
  int index = 0;
  while (index < count - 1 && signals[index] != number) index++;
  // When the handler returns, an instruction that faults runs again, and the previous handler gets its signal. A signal that was
  // sent, and the trap of a breakpoint, would not come again, so they are raised below.
  sigaction(number, &before[index], NULL);
  KnotRun *run = knotCurrent;
  if (run && run->jobs) {
    // The code below may hang if the signal arrived during an allocation, so an alarm ends the process after ten seconds.
    signal(SIGALRM, SIG_DFL);
    alarm(10);
    char what[64];
    snprintf(what, sizeof what, "ended the process by signal %d", number);
    say(run, what);
    run->kit.lastWords(run->owner, false);
    // Cancel the alarm, because Swift's handler may take longer.
    alarm(0);
  }
  if (number == SIGTRAP || info->si_code <= 0) raise(number);
}

// MARK: Exits

/// The process that explores. A child that this process forks may exit normally.
static pid_t process;

/// If the process ends while a run is open, prints that, and returns a status other than 0, because the other runs and tests are
/// lost.
static int leave(const char *name, int status) {
  KnotRun *run = knotCurrent;
  if (knotIsDying || (run ? !run->jobs : !knotLiveRuns) || getpid() != process) return status;
  knotIsDying = true;
  char what[128];
  if (run) {
    snprintf(what, sizeof what, "ended the process by %s(%d)", name, status);
    say(run, what);
    run->kit.lastWords(run->owner, false);
  } else {
    int length = snprintf(
        what, sizeof what, "\nexplore: %s(%d) was called outside the runs, and an exploration had not ended\n", name, status);
    if (write(2, what, length) < 0) return EXIT_FAILURE;
  }
  return status ? status : EXIT_FAILURE;
}

#define REPLACES_EXIT(name)                                 \
  REPLACES_C __attribute__((noreturn)) void name(int status) { \
    NEXT(name)(leave(#name, status));                       \
    __builtin_unreachable();                                \
  }

REPLACES_EXIT(exit)
REPLACES_EXIT(_exit)
REPLACES_EXIT(_Exit)
REPLACES_EXIT(quick_exit)

// MARK: A job that never ends

static void look(void) {
  KnotRun *stuck = knotStuckRun();
  if (!stuck) return;
  say(stuck, "is stuck: one of its jobs blocks its thread or spins, and a run uses one thread at a time, "
             "so the process ends");
  stuck->kit.lastWords(stuck->owner, true);
  knotIsDying = true;
  _exit(1);
}

void knotPrepareLastWords(void) {
  static _Thread_local bool isDone;
  if (isDone) return;
  isDone = true;
  stack_t known;
  if (sigaltstack(NULL, &known) || !(known.ss_flags & SS_DISABLE)) return;
  size_t size = 1 << 20;
  void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return;
  stack_t stack = {.ss_sp = place, .ss_size = size};
  sigaltstack(&stack, NULL);
}

void knotInstallLastWords(void) {
  process = getpid();
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  for (int i = 0; i < count; i++) {
    sigaction(signals[i], NULL, &before[i]);
    // A process that ignores broken pipes continues to do so.
    if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
  }
  knotWatch(look);
}

#endif

// The threads of a run, called hands. Only one of them runs at a time. Each other thread has stopped in the middle of a job,
// because another job has interrupted that job, or because the thread waits for a lock or a semaphore.
//
// A job that interrupts another one runs on its own thread. If it needs a lock that a stopped thread of the run holds, it
// stops, and the interrupted job continues; later the stopped job tries again. The kit reads the holder from the lock
// itself and measures no time, so the schedule alone decides what happens.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/syscall.h>

#undef pthread_mutex_unlock

/// A thread that works for a run.
struct KnotHand {
  sem_t turn;
  /// The thread's number, by which a lock identifies its holder.
  uint32_t number;
  pthread_t thread;
  /// The core that the thread is bound to, or -1, and the cores that it may use otherwise.
  int core;
  cpu_set_t cores;
  KnotRun *run;
  /// The thread that continues when this one ends its job or waits.
  KnotHand *lender;
  void (*body)(void *context);
  void *context;
  bool isDone;
  /// Whether the thread waits for something that no other thread of the run can provide.
  bool isStuck;
  /// The next hand in the same list: the idle hands, or the waiting hands of a run.
  KnotHand *next;
  /// The next hand that is in the middle of a job of the same run.
  KnotHand *crewmate;
};

static _Thread_local KnotHand *self;
static KnotHand *idle;
static pthread_mutex_t idleLock = PTHREAD_MUTEX_INITIALIZER;

// MARK: Cores

// The threads of a run take turns. Without a binding, the system wakes each of them on an idle core, which takes several times
// as long as to continue on the same core. So the thread that drives the run is bound to its core until it leaves the run, and
// the hands that work for it are bound to the same core.

static void bindTo(KnotHand *hand, int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  hand->core = pthread_setaffinity_np(hand->thread, sizeof set, &set) ? -1 : core;
}

/// Binds the calling thread to its core, if the system tells which cores the thread may use.
static void stay(void) {
  if (self->core >= 0 || sched_getaffinity(0, sizeof self->cores, &self->cores)) return;
  int core = sched_getcpu();
  if (core >= 0 && core < CPU_SETSIZE) bindTo(self, core);
}

/// Lets the calling thread use all its cores again. Returns the core that it was bound to, or -1.
static int roam(void) {
  if (!self || self->core < 0) return -1;
  int core = self->core;
  self->core = -1;
  pthread_setaffinity_np(self->thread, sizeof self->cores, &self->cores);
  return core;
}

/// Calls a function while the calling thread is bound to no core, because a thread or process that the function starts would
/// inherit the binding.
#define ROAMING(call)                                                                             \
  ({                                                                                              \
    int core = roam();                                                                            \
    int result = call;                                                                            \
    if (core >= 0) bindTo(self, core);                                                            \
    result;                                                                                       \
  })

REPLACES_C int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                              void *(*body)(void *), void *context) {
  return ROAMING(NEXT(pthread_create)(thread, attributes, body, context));
}

REPLACES_C int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const *arguments,
                           char *const *environment) {
  return ROAMING(NEXT(posix_spawn)(pid, path, actions, attributes, arguments, environment));
}

REPLACES_C int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attributes, char *const *arguments,
                            char *const *environment) {
  return ROAMING(NEXT(posix_spawnp)(pid, file, actions, attributes, arguments, environment));
}

// MARK: Turns

static void takeTurn(void) {
  while (NEXT(sem_wait)(&self->turn)) {}
}

/// Assigns a hand to the calling thread, so that the thread can wait for its turn.
static void enrol(KnotHand *hand) {
  self = hand;
  hand->number = (uint32_t)NEXT(syscall)(SYS_gettid);
}

static KnotHand *makeHand(void) {
  KnotHand *hand = calloc(1, sizeof(KnotHand));
  sem_init(&hand->turn, 0, 0);
  hand->core = -1;
  return hand;
}

static void *work(void *hand) {
  enrol(hand);
  knotPrepareLastWords();
  // Between jobs the thread runs the kit's code, where no job may interrupt it.
  knot_hold();
  for (;;) {
    takeTurn();
    knotCurrent = self->run;
    self->body(self->context);
    knotCurrent->advances++;
    knotCurrent = NULL;
    self->isDone = true;
    sem_post(&self->lender->turn);
  }
}

/// Returns an idle hand, preferably one that is bound to this core, or a new hand. Hands live as long as the process.
static KnotHand *takeIdle(int core) {
  NEXT(pthread_mutex_lock)(&idleLock);
  KnotHand **place = &idle;
  while (*place && (*place)->core != core) place = &(*place)->next;
  if (!*place) place = &idle;
  KnotHand *hand = *place;
  if (hand) *place = hand->next;
  NEXT(pthread_mutex_unlock)(&idleLock);
  if (hand) return hand;
  hand = makeHand();
  if (pthread_create(&hand->thread, NULL, work, hand)) abort();
  pthread_detach(hand->thread);
  return hand;
}

/// Lets another thread of the run continue until it ends its job or waits.
static void lend(KnotRun *run, KnotHand *hand) {
  uint64_t moment = run->kit.leave(run->owner);
  if (self->core >= 0 && hand->core != self->core) {
    hand->cores = self->cores;
    bindTo(hand, self->core);
  }
  hand->lender = self;
  sem_post(&hand->turn);
  takeTurn();
  run->kit.comeBack(run->owner, moment);
  KnotHand **end = &run->waiting;
  if (hand->isDone) {
    for (KnotHand **place = &run->crew; *place; place = &(*place)->crewmate) {
      if (*place != hand) continue;
      *place = hand->crewmate;
      break;
    }
    NEXT(pthread_mutex_lock)(&idleLock);
    end = &idle;
    hand->next = idle;
    idle = hand;
    NEXT(pthread_mutex_unlock)(&idleLock);
  } else {
    while (*end) end = &(*end)->next;
    *end = hand;
    hand->next = NULL;
  }
}

void knot_lend(KnotRun *run, void (*body)(void *context), void *context) {
  if (!self) {
    enrol(makeHand());
    self->thread = pthread_self();
  }
  if (!run->crew) {
    // The thread that drives the run may also hold locks, so it joins the crew. It may be a hand of an outer run.
    run->driver = self;
    run->outerRun = self->run;
    run->outerLender = self->lender;
    run->outerCrewmate = self->crewmate;
    self->run = run;
    self->lender = NULL;
    self->crewmate = NULL;
    run->crew = self;
    stay();
  }
  KnotHand *hand = takeIdle(self->core);
  hand->run = run;
  hand->body = body;
  hand->context = context;
  hand->isDone = hand->isStuck = false;
  hand->crewmate = run->crew;
  run->crew = hand;
  lend(run, hand);
}

/// Lets each waiting thread try again; returns whether one of them has advanced.
static bool retry(KnotRun *run) {
  uint64_t before = run->advances;
  KnotHand *hand = run->waiting;
  run->waiting = NULL;
  while (hand) {
    KnotHand *next = hand->next;
    lend(run, hand);
    hand = next;
  }
  return run->advances != before;
}

void knotSettle(KnotRun *run) {
  bool wasBusy = run->isBusy;
  run->isBusy = true;
  if (self != run->driver) {
    if (run->waiting) retry(run);
    run->isBusy = wasBusy;
    return;
  }
  while (run->waiting) {
    // If no waiting thread could continue, they all wait for code outside the run, or for each other.
    if (!retry(run)) run->waiting->isStuck = true;
  }
  run->isBusy = false;
  run->crew = NULL;
  self->run = run->outerRun;
  self->lender = run->outerLender;
  self->crewmate = run->outerCrewmate;
}

void knotRest(const KnotRun *before) {
  KnotRun *run = knotCurrent;
  // Between two jobs, the kit cancels tasks, whose cancellation handlers may have let other jobs run.
  if (run && run->crew && self == run->driver) knotSettle(run);
  if (!before) roam();
}

void knot_pass_point(void) {
  KnotRun *run = knotCurrent;
  if (!run || !run->interrupts || !run->isBusy || knotIndivisible > 0) return;
  retry(run);
  run->kit.interrupt(run->owner);
}

// MARK: Locks

/// Lets other threads of the run continue when the calling thread cannot.
///
/// Returns whether the caller should try again; if not, the caller blocks like any other thread.
static bool waits(void) {
  KnotRun *run = knotCurrent;
  if (!self || !run->crew || knotIsDying) return false;
  if (!self->lender) return run->waiting && retry(run);
  if (self->isStuck) return self->isStuck = false;
  uint64_t moment = run->kit.leave(run->owner);
  sem_post(&self->lender->turn);
  takeTurn();
  run->kit.comeBack(run->owner, moment);
  return true;
}

/// Whether a number belongs to another thread of the same run. Such a thread has stopped.
static bool isOfRun(uint32_t number) {
  for (KnotHand *hand = knotCurrent->crew; hand; hand = hand->crewmate) {
    if (hand->number == number && hand != self) return true;
  }
  return false;
}

/// Lets the stopped thread of the run that holds a mutex continue until it releases the mutex.
static void waitForHolder(const pthread_mutex_t *mutex) {
  bool hasWaited = false;
  while (knotCurrent && isOfRun(mutex->__data.__owner) && waits()) hasWaited = true;
  if (hasWaited) knotCurrent->advances++;
}

REPLACES_C int pthread_mutex_lock(pthread_mutex_t *mutex) {
  waitForHolder(mutex);
  return NEXT(pthread_mutex_lock)(mutex);
}

/// Lets other jobs run whenever the program or Foundation, for example an `NSLock`, has unlocked a mutex.
REPLACES_C int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  const void *caller = CALLER();
  int result = NEXT(pthread_mutex_unlock)(mutex);
  KnotRun *run = knotCurrent;
  if (run && (knotIsIn(&knotProgram, caller) || knotIsIn(&knotFoundation, caller))) {
    knot_pass_point();
  } else if (run && run->waiting && knotIndivisible == 0) {
    retry(run);
  }
  return result;
}

/// Takes a semaphore, and lets stopped threads of the run continue until one of them signals it. Returns whether it succeeded.
static bool takeSemaphore(sem_t *semaphore) {
  if (!knotCurrent) return false;
  bool hasWaited = false;
  while (sem_trywait(semaphore)) {
    if (errno != EAGAIN || !waits()) return false;
    hasWaited = true;
  }
  if (hasWaited) knotCurrent->advances++;
  return true;
}

/// `DispatchSemaphore`, for example, calls this to wait.
REPLACES_C int sem_wait(sem_t *semaphore) {
  return takeSemaphore(semaphore) ? 0 : NEXT(sem_wait)(semaphore);
}

// Time does not pass during a job, so a wait with a time limit first lets stopped threads of the run continue, like any wait. If
// that does not help, the wait continues in the machine's time, for as long as the code asks for.

/// `DispatchSemaphore.wait(timeout:)` calls this.
REPLACES_C int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  if (takeSemaphore(semaphore)) return 0;
  struct timespec date = knotMachineDate(deadline);
  return NEXT(sem_timedwait)(semaphore, &date);
}

/// `NSLock.lock(before:)` calls this.
REPLACES_C int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  waitForHolder(mutex);
  struct timespec date = knotMachineDate(deadline);
  return NEXT(pthread_mutex_timedlock)(mutex, &date);
}

/// A thread that needs a locked `Mutex` waits in the kernel; the word of the mutex contains the number of the thread that holds
/// it. Dispatch also waits in the kernel, until a word changes.
REPLACES_C long syscall(long number, ...) {
  long argument[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) argument[i] = va_arg(list, long);
  va_end(list);
  if (knotCurrent && number == SYS_getrandom) {
    // The standard library gets its random numbers this way.
    knotDraw(knotCurrent, (void *)argument[0], argument[1]);
    return argument[1];
  }
  if (knotCurrent && number == SYS_futex) {
    const _Atomic uint32_t *word = (const _Atomic uint32_t *)argument[0];
    int command = argument[1] & FUTEX_CMD_MASK;
    bool hasWaited = false;
    while ((command == FUTEX_LOCK_PI ? isOfRun(*word & FUTEX_TID_MASK)
                                     : command == FUTEX_WAIT && *word == (uint32_t)argument[2]) &&
           waits()) {
      hasWaited = true;
    }
    if (hasWaited) knotCurrent->advances++;
  }
  return NEXT(syscall)(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                       argument[5]);
}

#endif

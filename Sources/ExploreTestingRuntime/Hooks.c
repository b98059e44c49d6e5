// The runtime's hooks that an exploration uses, and the clocks, random numbers and hashes of a run.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>

static MainHook *mainBefore;
static GlobalHook *globalBefore;
static CheckHook *checkBefore;
static _Thread_local bool isReading;

static SWIFT_CC KnotExecutor mainExecutor(MainOriginal *original) {
  KnotRun *run = knotRunOfCurrentTask();
  if (run) return run->mainExecutor;
  return mainBefore ? mainBefore(original) : original();
}

static SWIFT_CC void enqueueGlobal(const void *job, GlobalOriginal *original) {
  KnotRun *run = knotCurrent;
  uint64_t number;
  // A task with a higher number than the run's first task was created in the run, but not through the entry point that the kit
  // replaces. An older task only continues here.
  if (run && (number = knot_task_number(job)) > run->firstTask) {
    atomic_fetch_add_explicit(&run->escaped, 1, memory_order_relaxed);
  }
  globalBefore ? globalBefore(job, original) : original(job);
}

void knot_set_reading(bool isReadingNow) { isReading = isReadingNow; }

static SWIFT_CC void checkIsolated(KnotExecutor executor, CheckOriginal *original) {
  if (isReading) return;
  checkBefore ? checkBefore(executor, original) : original(executor);
}

// MARK: Time

/// Whether a clock shows the date.
static bool showsDate(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

/// Whether the caller gets the time of its run. Other callers, such as the testing library, get the real time.
static bool isAnswered(KnotRun *run, clockid_t clock, const void *caller) {
  if (!run || knotIsIn(&knotTesting, caller)) return false;
  if (knotIsIn(&knotConcurrency, caller) || showsDate(clock)) return true;
  bool isTime = clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
  if (isTime && (knotIsIn(&knotProgram, caller) || knotIsIn(&knotFoundation, caller) ||
                 knotIsIn(&knotEssentials, caller))) {
    return true;
  }
  run->readings++;
  return false;
}

static struct timespec wallTime(KnotRun *run) {
  int64_t nanoseconds = run->nanoseconds + run->date.tv_nsec;
  return (struct timespec){run->seconds + run->date.tv_sec + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

REPLACES_C int clock_gettime(clockid_t clock, struct timespec *time) {
  KnotRun *run = knotCurrent;
  const void *caller = CALLER();
  if (!isAnswered(run, clock, caller)) return NEXT(clock_gettime)(clock, time);
  // Swift's own clocks also read the real-time clock, but not to get a date.
  bool isWall = showsDate(clock) && !knotIsIn(&knotConcurrency, caller);
  *time = isWall ? wallTime(run) : (struct timespec){run->seconds, run->nanoseconds};
  return 0;
}

int64_t knot_real_nanoseconds(void) {
  struct timespec now;
  NEXT(clock_gettime)(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

REPLACES_C int gettimeofday(struct timeval *time, void *zone) {
  KnotRun *run = knotCurrent;
  if (!isAnswered(run, CLOCK_REALTIME, CALLER())) return NEXT(gettimeofday)(time, zone);
  struct timespec now = wallTime(run);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

REPLACES_C time_t time(time_t *result) {
  KnotRun *run = knotCurrent;
  if (!isAnswered(run, CLOCK_REALTIME, CALLER())) return NEXT(time)(result);
  time_t now = wallTime(run).tv_sec;
  if (result) *result = now;
  return now;
}

struct timespec knotMachineDate(const struct timespec *date) {
  if (!knotCurrent) return *date;
  struct timespec now, of = wallTime(knotCurrent), result;
  NEXT(clock_gettime)(CLOCK_REALTIME, &now);
  int64_t nanoseconds = now.tv_nsec + date->tv_nsec - of.tv_nsec;
  int64_t carry = nanoseconds < 0 ? -1 : nanoseconds / 1000000000;
  result.tv_nsec = nanoseconds - carry * 1000000000;
  bool isFar = __builtin_add_overflow(date->tv_sec, now.tv_sec - of.tv_sec + carry, &result.tv_sec);
  if (isFar) result.tv_sec = date->tv_sec < 0 ? 0 : INT64_MAX;
  return result;
}

// MARK: Chance

void knotDraw(KnotRun *run, void *memory, size_t count) {
  for (size_t done = 0; done < count; done += sizeof(uint64_t)) {
    uint64_t number = run->kit.draw(run->owner, run->draws++);
    memcpy((char *)memory + done, &number,
           count - done < sizeof number ? count - done : sizeof number);
  }
}

REPLACES_C ssize_t getrandom(void *memory, size_t count, unsigned flags) {
  KnotRun *run = knotCurrent;
  if (!run) return NEXT(getrandom)(memory, count, flags);
  knotDraw(run, memory, count);
  return count;
}

REPLACES_C int getentropy(void *memory, size_t count) {
  KnotRun *run = knotCurrent;
  if (!run) return NEXT(getentropy)(memory, count);
  knotDraw(run, memory, count);
  return 0;
}

REPLACES_C void arc4random_buf(void *memory, size_t count) {
  KnotRun *run = knotCurrent;
  run ? knotDraw(run, memory, count) : NEXT(arc4random_buf)(memory, count);
}

REPLACES_C uint32_t arc4random(void) {
  if (!knotCurrent) return NEXT(arc4random)();
  uint32_t number;
  knotDraw(knotCurrent, &number, sizeof number);
  return number;
}

/// Draws again if the number is less than 2³² modulo the bound, so that all results are equally likely.
REPLACES_C uint32_t arc4random_uniform(uint32_t bound) {
  if (!knotCurrent) return NEXT(arc4random_uniform)(bound);
  if (bound < 2) return 0;
  uint32_t number;
  do number = arc4random();
  while (number < -bound % bound);
  return number % bound;
}

REPLACES void swift_stdlib_random(void *memory, size_t count) {
  KnotRun *run = knotCurrent;
  run ? knotDraw(run, memory, count) : NEXT(swift_stdlib_random)(memory, count);
}

/// This function is replaced, because `UUID()` reads its random bytes from a file.
MakeUUID knotMakeUUID __asm__(MAKE_UUID);

REPLACES SWIFT_CC UUID knotMakeUUID(void) {
  KnotRun *run = knotCurrent;
  if (!run) return NEXT_CALLED(knotMakeUUID, MAKE_UUID)();
  union { UUID id; unsigned char bytes[16]; } made;
  knotDraw(run, &made, sizeof made);
  // Version 4, and the variant of RFC 9562.
  made.bytes[6] = (made.bytes[6] & 0x0F) | 0x40;
  made.bytes[8] = (made.bytes[8] & 0x3F) | 0x80;
  return made.id;
}

/// A program may keep `/dev/urandom` open, so the kit cannot replace what the program reads. The kit only counts the calls that
/// open the file.
REPLACES_C int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (knotCurrent && strcmp(path, "/dev/urandom") == 0) knotCurrent->readings++;
  return NEXT(open)(path, flags, mode);
}

static Hashing *hashing;

/// A set may be created before a run and used in it, so hashes cannot depend on the run. They are the same in each process.
__attribute__((constructor)) static void makeHashesPlain(void) {
  hashing = dlsym(RTLD_DEFAULT, HASHING);
  if (hashing) *hashing = (Hashing){0, 0, true};
}

bool knot_has_plain_hashes(void) { return hashing && hashing->isDeterministic; }

/// The runtime asks Dispatch to delay a sleeping task's job if the run's executor cannot keep the job. This happens if the kit
/// does not know the scheduling protocol of the compiler that compiled it.
REPLACES void dispatch_after_f(uint64_t when, void *queue, void *job, void (*work)(void *)) {
  KnotRun *run = knotCurrent;
  const void *caller = CALLER();
  if (run && knotIsIn(&knotConcurrency, caller) && knotIsTask(job)) {
    run->kit.sleep(run->owner, job, when & dispatchNanoseconds);
  } else {
    NEXT(dispatch_after_f)(when, queue, job, work);
  }
}

void knot_install(void) {
  static _Atomic bool isInstalled;
  if (atomic_exchange(&isInstalled, true)) return;
  knotInstallLastWords();
  if (&swift_task_getMainExecutor_hook) {
    mainBefore = swift_task_getMainExecutor_hook;
    swift_task_getMainExecutor_hook = mainExecutor;
  }
  if (&swift_task_enqueueGlobal_hook) {
    globalBefore = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueueGlobal;
  }
  if (&swift_task_checkIsolated_hook) {
    checkBefore = swift_task_checkIsolated_hook;
    swift_task_checkIsolated_hook = checkIsolated;
  }
}

#endif

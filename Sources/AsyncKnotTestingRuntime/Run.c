// Which run a thread, a task or an actor belongs to.

#define _GNU_SOURCE
#include "Internal.h"

#include <stdlib.h>

void knot_at_exit(void (*function)(void)) { atexit(function); }
void knot_free(char *name) { free(name); }

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

/// `XCTFail(_: String, file: StaticString, line: UInt)`; a static string is an address, a count and flags.
typedef SWIFT_CC void Fail(uintptr_t text0, uintptr_t text1, const char *file, size_t count,
                           uint8_t flags, uintptr_t line);

bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *file, uintptr_t line) {
  enum { isASCII = 2 };
  Fail *fail = (Fail *)dlsym(RTLD_DEFAULT, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF");
  // A static string lives for ever.
  if (fail) fail(text0, text1, strdup(file), strlen(file), isASCII, line);
  return fail != NULL;
}

_Thread_local KnotRun *knotCurrent;
_Atomic size_t knotLiveRuns;

static _Thread_local KnotArrival arrival;
static pthread_mutex_t liveLock = PTHREAD_MUTEX_INITIALIZER;
static KnotRun *live;

bool knot_is_supported(void) { return true; }

void *knotNext(const char *name) { return dlsym(RTLD_NEXT, name); }

KnotRun *knot_run_create(void) {
  KnotRun *run = calloc(1, sizeof(KnotRun));
  atomic_flag_clear(&run->isLocked);
  run->firstTask = ~0ull;
  return run;
}

void knot_run_open(KnotRun *run, const void *owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door) {
  run->owner = owner;
  run->taskExecutor = taskExecutor;
  run->reference = reference;
  run->mainExecutor = mainExecutor;
  run->door = door;
  pthread_mutex_lock(&liveLock);
  run->next = live;
  live = run;
  atomic_fetch_add(&knotLiveRuns, 1);
  pthread_mutex_unlock(&liveLock);
}

void knot_run_set_maker(KnotRun *run, void (*make)(const void *owner)) { run->make = make; }

void knot_run_close(KnotRun *run) {
  pthread_mutex_lock(&liveLock);
  for (KnotRun **place = &live; *place; place = &(*place)->next) {
    if (*place != run) continue;
    *place = run->next;
    atomic_fetch_sub(&knotLiveRuns, 1);
    break;
  }
  pthread_mutex_unlock(&liveLock);
}

void knot_run_destroy(KnotRun *run) {
  knot_run_close(run);
  free(run->actors);
  free(run);
}

KnotRun *knot_enter(KnotRun *run) {
  KnotRun *before = knotCurrent;
  knotCurrent = run;
  return before;
}

void knot_leave(KnotRun *before) { knotCurrent = before; }

const void *knot_current_owner(void) { return knotCurrent ? knotCurrent->owner : NULL; }

bool knot_is_current(const KnotRun *run) { return knotCurrent == run; }

void knotArrives(const void *actor, bool hops, const char *name) {
  arrival = (KnotArrival){actor, hops, name, NULL};
}

KnotArrival knot_take_arrival(void) {
  KnotArrival result = arrival;
  arrival = (KnotArrival){NULL, false, NULL, NULL};
  return result;
}

void knot_set_time(KnotRun *run, int64_t seconds, int64_t nanoseconds) {
  run->seconds = seconds;
  run->nanoseconds = nanoseconds;
}

void knot_set_first_task(KnotRun *run, uint64_t number) { run->firstTask = number; }
uint64_t knot_adopted_tasks(const KnotRun *run) { return run->adopted; }
uint64_t knot_escaped_jobs(const KnotRun *run) { return run->escaped; }

KnotRun *knotRunOfCurrentTask(void) {
  if (knotCurrent) return knotCurrent;
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return NULL;
  if (!swift_task_getCurrent()) return NULL;
  const void *preferred = swift_task_getPreferredTaskExecutor().identity;
  if (!preferred) return NULL;
  pthread_mutex_lock(&liveLock);
  KnotRun *run = live;
  while (run && run->taskExecutor.identity != preferred) run = run->next;
  pthread_mutex_unlock(&liveLock);
  return run;
}

// MARK: Actors

static size_t slot(const void *actor, size_t capacity) {
  return ((uintptr_t)actor >> 4) * 0x9E3779B97F4A7C15ull >> 20 & (capacity - 1);
}

/// Takes the place of an actor that was removed, so that a search goes on past it.
static const char tombstone;

static void lock(KnotRun *run) {
  while (atomic_flag_test_and_set_explicit(&run->isLocked, memory_order_acquire)) sched_yield();
}

static void unlock(KnotRun *run) {
  atomic_flag_clear_explicit(&run->isLocked, memory_order_release);
}

/// The place of an actor in the table, or of null where it is not there. The run is locked.
static const void **find(KnotRun *run, const void *actor) {
  size_t index = slot(actor, run->capacity);
  while (run->actors[index] && run->actors[index] != actor) {
    index = (index + 1) & (run->capacity - 1);
  }
  return &run->actors[index];
}

bool knotOwns(KnotRun *run, const void *actor) {
  if (run->used == 0) return false;
  lock(run);
  bool isThere = *find(run, actor) != NULL;
  unlock(run);
  return isThere;
}

void knotAdd(KnotRun *run, const void *actor) {
  lock(run);
  if (run->used * 2 >= run->capacity) {
    const void **old = run->actors;
    size_t oldCapacity = run->capacity, count = 0;
    for (size_t i = 0; i < oldCapacity; i++) count += old[i] && old[i] != &tombstone;
    size_t capacity = 16;
    while (capacity < count * 4) capacity *= 2;
    run->actors = calloc(capacity, sizeof(void *));
    run->capacity = capacity;
    run->used = count;
    for (size_t i = 0; i < oldCapacity; i++) {
      if (old[i] && old[i] != &tombstone) *find(run, old[i]) = old[i];
    }
    free(old);
  }
  const void **place = find(run, actor);
  if (!*place) {
    *place = actor;
    run->used++;
  }
  unlock(run);
}

static void forget(KnotRun *run, const void *actor) {
  if (run->used == 0) return;
  lock(run);
  const void **place = find(run, actor);
  if (*place) *place = &tombstone;
  unlock(run);
}

void knotForget(const void *actor) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return;
  if (knotCurrent && knotOwns(knotCurrent, actor)) return forget(knotCurrent, actor);
  pthread_mutex_lock(&liveLock);
  for (KnotRun *run = live; run; run = run->next) forget(run, actor);
  pthread_mutex_unlock(&liveLock);
}

bool knotReachesOwner(const void *actor, KnotExecutor *door) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return false;
  pthread_mutex_lock(&liveLock);
  KnotRun *run = live;
  while (run && !knotOwns(run, actor)) run = run->next;
  if (run) {
    *door = run->door;
    // The run may end before the job is handed over. `JobOrigin` releases this.
    arrival = (KnotArrival){actor, true, NULL, swift_retain((void *)run->taskExecutor.identity)};
  }
  pthread_mutex_unlock(&liveLock);
  return run != NULL;
}

#else

// A platform without the mechanism: the kit asks first, and never comes here with a run.

bool knot_is_supported(void) { return false; }
void knot_install(void) {}
KnotRun *knot_run_create(void) { __builtin_trap(); }
void knot_run_open(KnotRun *run, const void *owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door) {}
void knot_run_set_maker(KnotRun *run, void (*make)(const void *owner)) {}
void knot_make_pending(void) {}
void knot_run_destroy(KnotRun *run) {}
size_t knot_take_wall_clock_readings(void) { return 0; }
void knot_run_close(KnotRun *run) {}
KnotRun *knot_enter(KnotRun *run) { return NULL; }
void knot_leave(KnotRun *before) {}
const void *knot_current_owner(void) { return NULL; }
bool knot_is_current(const KnotRun *run) { return false; }
KnotArrival knot_take_arrival(void) { return (KnotArrival){NULL, false, NULL, NULL}; }
void knot_set_time(KnotRun *run, int64_t seconds, int64_t nanoseconds) {}
void knot_set_first_task(KnotRun *run, uint64_t number) {}
uint64_t knot_adopted_tasks(const KnotRun *run) { return 0; }
uint64_t knot_escaped_jobs(const KnotRun *run) { return 0; }
void knot_run_job(KnotRun *run, const void *job, const void *actor, bool isMain, bool prefers) {
  __builtin_trap();
}
void knot_enqueue(const void *job, const void *actor) { __builtin_trap(); }
uint64_t knot_task_number(const void *job) { return 0; }
const void *knot_drained_actor(const void *job) { return NULL; }
bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *file, uintptr_t line) {
  return false;
}

#endif

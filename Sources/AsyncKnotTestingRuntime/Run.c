// Which run a thread, a task or an actor belongs to.

#define _GNU_SOURCE
#include "Internal.h"

#include <dlfcn.h>
#include <sched.h>
#include <string.h>

_Thread_local KnotRun *knotCurrent;
_Atomic size_t knotLiveRuns;

static _Thread_local KnotArrival arrival;
static pthread_mutex_t liveLock = PTHREAD_MUTEX_INITIALIZER;
static KnotRun *live;

bool knot_is_supported(void) { return KNOT_SUPPORTED; }

void *knotNext(const char *name) { return dlsym(RTLD_NEXT, name); }

KnotRun *knot_run_create(KnotCallbacks callbacks) {
  KnotRun *run = calloc(1, sizeof(KnotRun));
  run->kit = callbacks;
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
  free(run->actors.places);
  free(run->resumed.places);
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

KnotRun *knotStuckRun(void) {
  KnotRun *stuck = NULL;
  pthread_mutex_lock(&liveLock);
  for (KnotRun *run = live; run; run = run->next) {
    bool goesOn = !run->isBusy || run->jobs != run->seenJobs;
    run->seenJobs = run->jobs;
    run->seenFor = goesOn ? 0 : run->seenFor + 50;
    if (run->patience > 0 && run->seenFor > run->patience) stuck = run;
  }
  pthread_mutex_unlock(&liveLock);
  return stuck;
}

void knotArrives(const void *actor, bool hops, bool isShared, const char *name) {
  arrival = (KnotArrival){actor, hops, isShared, name, NULL};
}

KnotArrival knot_take_arrival(void) {
  KnotArrival result = arrival;
  arrival = (KnotArrival){0};
  return result;
}

void knot_set_time(KnotRun *run, int64_t seconds, int64_t nanoseconds) {
  run->seconds = seconds;
  run->nanoseconds = nanoseconds;
}

void knot_set_first_task(KnotRun *run, uint64_t number) { run->firstTask = number; }
uint64_t knot_escaped_jobs(const KnotRun *run) { return run->escaped; }

/// Without seeing locks a run cannot be interrupted: it would wait for a lock of its own for ever.
void knot_run_interrupts(KnotRun *run) {
#ifdef KNOT_SEES_LOCKS
  run->interrupts = true;
#endif
}

void knot_run_note(KnotRun *run, const char *test, uint64_t seed, int64_t milliseconds) {
  strncpy(run->test, test, sizeof run->test - 1);
  run->seed = seed;
  run->patience = milliseconds;
}

#if KNOT_SUPPORTED

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

// MARK: Tables

static size_t slot(const void *address, size_t capacity) {
  return ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15ull >> 20 & (capacity - 1);
}

/// Takes the place of an address that was removed, so that a search goes on past it.
static const char tombstone;

static void lock(KnotTable *set) {
  while (atomic_flag_test_and_set_explicit(&set->isLocked, memory_order_acquire)) sched_yield();
}

static void unlock(KnotTable *set) {
  atomic_flag_clear_explicit(&set->isLocked, memory_order_release);
}

struct KnotPlace *knotFind(KnotTable *table, const void *address) {
  size_t index = slot(address, table->capacity);
  while (table->places[index].key && table->places[index].key != address) {
    index = (index + 1) & (table->capacity - 1);
  }
  return &table->places[index];
}

struct KnotPlace *knotFindRoom(KnotTable *table, const void *address) {
  if (table->used * 2 >= table->capacity) {
    KnotTable old = *table;
    size_t count = 0;
    for (size_t i = 0; i < old.capacity; i++) {
      if (old.places[i].key && old.places[i].key != &tombstone) old.places[count++] = old.places[i];
    }
    table->used = count;
    table->capacity = 16;
    while (table->capacity < count * 4) table->capacity *= 2;
    table->places = calloc(table->capacity, sizeof *table->places);
    for (size_t i = 0; i < count; i++) *knotFind(table, old.places[i].key) = old.places[i];
    free(old.places);
  }
  return knotFind(table, address);
}

bool knotHas(KnotTable *set, const void *address) {
  if (set->used == 0) return false;
  lock(set);
  bool isThere = knotFind(set, address)->key;
  unlock(set);
  return isThere;
}

bool knotAdd(KnotTable *set, const void *address) {
  lock(set);
  struct KnotPlace *place = knotFindRoom(set, address);
  bool isNew = !place->key;
  if (isNew) {
    place->key = address;
    set->used++;
  }
  unlock(set);
  return isNew;
}

void knotRemove(KnotTable *set, const void *address) {
  if (set->used == 0) return;
  lock(set);
  struct KnotPlace *place = knotFind(set, address);
  if (place->key) place->key = &tombstone;
  unlock(set);
}

void knotForget(const void *actor) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return;
  if (knotCurrent && knotHas(&knotCurrent->actors, actor)) {
    return knotRemove(&knotCurrent->actors, actor);
  }
  pthread_mutex_lock(&liveLock);
  for (KnotRun *run = live; run; run = run->next) knotRemove(&run->actors, actor);
  pthread_mutex_unlock(&liveLock);
}

bool knotReachesOwner(const void *actor, KnotExecutor *door) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return false;
  pthread_mutex_lock(&liveLock);
  KnotRun *run = live;
  while (run && !knotHas(&run->actors, actor)) run = run->next;
  if (run) {
    *door = run->door;
    // The run may end before the job is handed over. `JobOrigin` releases this.
    arrival = (KnotArrival){actor, true, false, NULL, swift_retain((void *)run->taskExecutor.identity)};
  }
  pthread_mutex_unlock(&liveLock);
  return run != NULL;
}

#else

// A platform without the mechanism.

void knot_install(void) {}
void knot_make_pending(void) {}
size_t knot_take_wall_clock_readings(void) { return 0; }
bool knot_take_xctest_failure(void) { return false; }
void knot_silence_xctest(bool isSilent) {}
void knot_run_job(KnotRun *run, const void *job, const void *actor, bool isMain, bool prefers) {
  __builtin_trap();
}
void knot_pass_point(void) {}
void knot_lend(KnotRun *run, void (*body)(void *context), void *context) {}
void knot_enqueue(const void *job, const void *actor) { __builtin_trap(); }
uint64_t knot_task_number(const void *job) { return 0; }
const void *knot_drained_actor(const void *job) { return NULL; }
bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *file, uintptr_t line) {
  return false;
}

#endif

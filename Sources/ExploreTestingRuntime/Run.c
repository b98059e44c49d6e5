// Finds the run that a thread, a task or an actor belongs to.

#define _GNU_SOURCE
#include "Internal.h"

#include <dlfcn.h>
#include <string.h>

_Atomic size_t knotLiveRuns, knotInnerRuns;
_Thread_local int knotIndivisible;

static _Thread_local KnotArrival arrival;
static pthread_mutex_t liveLock = PTHREAD_MUTEX_INITIALIZER;
static KnotRun *live;

bool knot_is_supported(void) { return KNOT_SUPPORTED; }

void *knotNext(const char *name) {
#ifdef KNOT_SANITIZED
  char own[200];
  snprintf(own, sizeof own, "__interceptor_%s", name);
  void *found = dlsym(RTLD_DEFAULT, own);
  if (found) return found;
#endif
  void *next = knot_next_here(name);
  // A library with its own copy of the kit leaves the work to this copy, so skip that library's definitions.
  for (Dl_info info, own; next && dladdr(next, &info); next = ((void *(*)(const char *))own.dli_saddr)(name)) {
    void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void *copy = library ? dlsym(library, "knot_next_here") : NULL;
    if (!copy || !dladdr(copy, &own) || own.dli_fbase != info.dli_fbase) break;
  }
  return next;
}

void *knot_next_here(const char *name) { return dlsym(RTLD_NEXT, name); }

KnotRun *knot_run_create(KnotCallbacks callbacks, bool interrupts) {
  KnotRun *run = calloc(1, sizeof(KnotRun));
  run->kit = callbacks;
  run->seen.decide = callbacks.decide;
  run->seen.tell = callbacks.tell;
  run->firstTask = ~0ull;
  run->interrupts = interrupts;
  return run;
}

void knot_run_open(KnotRun *run, const void *owner, KnotExecutor taskExecutor,
                   KnotExecutor reference, KnotExecutor mainExecutor, KnotExecutor door) {
  run->owner = run->seen.owner = owner;
  run->taskExecutor = taskExecutor;
  run->reference = reference;
  run->mainExecutor = mainExecutor;
  run->door = door;
  pthread_mutex_lock(&liveLock);
  run->next = live;
  live = run;
  run->isInner = knotCurrent != NULL;
  atomic_fetch_add(&knotLiveRuns, 1);
  atomic_fetch_add(&knotInnerRuns, run->isInner);
  pthread_mutex_unlock(&liveLock);
}

void knot_run_close(KnotRun *run) {
  pthread_mutex_lock(&liveLock);
  for (KnotRun **place = &live; *place; place = &(*place)->next) {
    if (*place != run) continue;
    *place = run->next;
    atomic_fetch_sub(&knotLiveRuns, 1);
    atomic_fetch_sub(&knotInnerRuns, run->isInner);
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
  knotPrepareLastWords();
  knotCurrent = run;
  knot_hold();
  return before;
}

void knot_leave(KnotRun *before) {
  knotRest(before);
  knotCurrent = before;
  knot_let_go();
}

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

void knotArrives(const void *actor, bool hops, bool isShared) {
  arrival = (KnotArrival){actor, hops, isShared, NULL};
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

void knot_set_date(KnotRun *run, int64_t seconds, int64_t nanoseconds) {
  // A negative offset with a fraction borrows a second, so that its nanoseconds are not negative.
  bool isNegative = nanoseconds < 0;
  run->date = (struct timespec){seconds - isNegative, nanoseconds + (isNegative ? 1000000000 : 0)};
}

uint64_t knot_draws(const KnotRun *run) { return run->draws; }

uint64_t knot_foreign_readings(const KnotRun *run) { return run->readings; }

uint64_t knot_escaped_jobs(const KnotRun *run) { return run->escaped; }

void knot_run_note(KnotRun *run, const char *test, uint64_t number, int64_t milliseconds) {
  strncpy(run->test, test, sizeof run->test - 1);
  run->number = number;
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

/// Marks a removed address, so that a search continues past it.
static const char tombstone;

/// Returns the slot of an address, or a free slot if the address is not in the table. The capacity must not be 0.
static const void **find(KnotTable *set, const void *address) {
  size_t index = slot(address, set->capacity);
  while (set->places[index] && set->places[index] != address) {
    index = (index + 1) & (set->capacity - 1);
  }
  return &set->places[index];
}

/// Makes room for one more address and drops the tombstones.
static void grow(KnotTable *set) {
  KnotTable old = *set;
  size_t count = 0;
  for (size_t i = 0; i < old.capacity; i++) {
    if (old.places[i] && old.places[i] != &tombstone) old.places[count++] = old.places[i];
  }
  set->used = count;
  set->capacity = 16;
  while (set->capacity < count * 4) set->capacity *= 2;
  set->places = calloc(set->capacity, sizeof *set->places);
  for (size_t i = 0; i < count; i++) *find(set, old.places[i]) = old.places[i];
  free(old.places);
}

bool knotHas(KnotTable *set, const void *address) {
  if (set->used == 0) return false;
  pthread_mutex_lock(&set->lock);
  bool isThere = *find(set, address);
  pthread_mutex_unlock(&set->lock);
  return isThere;
}

bool knotAdd(KnotTable *set, const void *address) {
  pthread_mutex_lock(&set->lock);
  if (set->used * 2 >= set->capacity) grow(set);
  const void **place = find(set, address);
  bool isNew = !*place;
  if (isNew) {
    *place = address;
    set->used++;
  }
  pthread_mutex_unlock(&set->lock);
  return isNew;
}

void knotRemove(KnotTable *set, const void *address) {
  if (set->used == 0) return;
  pthread_mutex_lock(&set->lock);
  const void **place = find(set, address);
  if (*place) *place = &tombstone;
  pthread_mutex_unlock(&set->lock);
}

_Atomic bool knotNotesTasks;
KnotTable knotTasks;

KnotTable knotTestingKeys;

/// Lists up to `count` addresses of a set from which none is ever removed.
static size_t list(KnotTable *set, const void **addresses, size_t count) {
  size_t found = 0;
  pthread_mutex_lock(&set->lock);
  for (size_t i = 0; i < set->capacity && found < count; i++) {
    if (set->places[i]) addresses[found++] = set->places[i];
  }
  pthread_mutex_unlock(&set->lock);
  return found;
}

size_t knot_tasks(const void **tasks, size_t count) { return list(&knotTasks, tasks, count); }

size_t knot_testing_keys(const void **keys, size_t count) {
  return list(&knotTestingKeys, keys, count);
}

void knotForget(const void *address) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return;
  pthread_mutex_lock(&liveLock);
  for (KnotRun *run = live; run; run = run->next) {
    knotRemove(&run->actors, address);
    knotRemove(&run->resumed, address);
  }
  pthread_mutex_unlock(&liveLock);
}

bool knotReachesOwner(const void *actor, KnotExecutor *door) {
  if (atomic_load_explicit(&knotLiveRuns, memory_order_relaxed) == 0) return false;
  pthread_mutex_lock(&liveLock);
  KnotRun *run = live;
  while (run && !knotHas(&run->actors, actor)) run = run->next;
  if (run) {
    *door = run->door;
    // The run may end before the job is handed over, so retain its executor. `JobOrigin` releases it.
    arrival = (KnotArrival){actor, true, false, swift_retain((void *)run->taskExecutor.identity)};
  }
  pthread_mutex_unlock(&liveLock);
  return run != NULL;
}

#else

// Stubs for a platform that the kit does not support.

void knot_install(void) {}
void knot_make_pending(void) {}
bool knot_has_plain_hashes(void) { return false; }
void knot_set_reading(bool isReading) {}
bool knot_take_xctest_failure(void) { return false; }
void knot_silence_xctest(bool isSilent) {}
void knot_run_job(KnotRun *run, const void *job, const void *actor, bool isMain, bool prefers) {
  __builtin_trap();
}
void knot_pass_point(void) {}
size_t knot_tasks(const void **tasks, size_t count) { return 0; }
size_t knot_testing_keys(const void **keys, size_t count) { return 0; }
void knot_lend(KnotRun *run, void (*body)(void *context), void *context) { body(context); }
int64_t knot_real_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
void knotPrepareLastWords(void) {}
void knotRest(const KnotRun *before) {}
void knot_enqueue(const void *job, const void *actor) { __builtin_trap(); }
uint64_t knot_task_number(const void *job) { return 0; }
const void *knot_drained_actor(const void *job) { return NULL; }
bool knot_xctest_name(void *string) { return false; }
bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *file, uintptr_t line) {
  return false;
}

#endif

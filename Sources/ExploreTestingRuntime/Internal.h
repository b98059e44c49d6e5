#ifndef EXPLORE_TESTING_INTERNAL_H
#define EXPLORE_TESTING_INTERNAL_H

#include "ExploreSeamThread.h"
#include "ExploreTestingRuntime.h"

#if defined(__linux__)
#define KNOT_SUPPORTED 1
#else
#define KNOT_SUPPORTED 0
#endif

#include "Seams.h"

#include <pthread.h>
#include <stdatomic.h>

/// A definition that takes the place of the runtime's own.
///
/// Weak: where the runtime is linked statically, its definition wins and the link succeeds; then the
/// kit finds out at the first seed that nobody calls this one.
#define REPLACES __attribute__((weak, visibility("default")))

/// A definition that takes the place of one of the C library.
///
/// A sanitizer puts weak definitions of its own into the program, so these are not; they call the sanitizer's.
#if KNOT_SUPPORTED && (__has_feature(thread_sanitizer) || __has_feature(address_sanitizer))
#define KNOT_SANITIZED
#define REPLACES_C __attribute__((visibility("default")))
#else
#define REPLACES_C REPLACES
#endif

typedef struct KnotHand KnotHand;

/// A set of addresses: a hash table that any thread may use.
typedef struct {
  pthread_mutex_t lock;
  const void **places;
  size_t capacity;
  /// How many places are not free; read without the lock, too.
  _Atomic size_t used;
} KnotTable;

struct KnotRun {
  /// What code that is explored sees; the first member.
  ExploreRun seen;
  const void *owner;
  KnotExecutor taskExecutor;
  KnotExecutor reference;
  KnotExecutor mainExecutor;
  KnotExecutor door;
  KnotCallbacks kit;
  /// The default actors that were made in the run.
  KnotTable actors;
  /// The tasks that were resumed and have not begun to wait for another continuation.
  KnotTable resumed;
  /// The number of its first task; what is made later has a higher one.
  uint64_t firstTask;
  _Atomic uint64_t escaped;
  int64_t seconds;
  int64_t nanoseconds;
  /// What the wall clock shows beyond that, in seconds since 1970.
  int64_t date;
  /// How often it has drawn random numbers, and read clocks that are not its own.
  uint64_t draws;
  uint64_t readings;
  /// The beginning of its test's name, its number there, and how many milliseconds a job may take.
  char test[200];
  uint64_t number;
  int64_t patience;
  /// How many jobs it has begun, and whether one goes on.
  _Atomic uint64_t jobs;
  _Atomic bool isBusy;
  /// Whether its schedule lets other jobs come between two instructions of one.
  bool interrupts;
  /// The threads in the middle of a job, those of them that wait, and how often one of these has got on.
  KnotHand *crew;
  KnotHand *waiting;
  uint64_t advances;
  /// For the thread that watches: the number of jobs that it saw last, and for how many milliseconds.
  uint64_t seenJobs;
  int64_t seenFor;
  struct KnotRun *next;
};

/// How many runs there are that have not been closed.
extern _Atomic size_t knotLiveRuns;

/// The runtime's own definition of a function that this target replaces.
void *knotNext(const char *name);

/// The runtime's own definition of `name`, found once.
#define NEXT(name) NEXT_CALLED(name, #name)

/// The same for a function that is declared by another name than the linker's.
#define NEXT_CALLED(name, symbol)                                                                 \
  ({                                                                                              \
    static _Atomic(void *) next;                                                                  \
    void *found = atomic_load_explicit(&next, memory_order_relaxed);                              \
    if (__builtin_expect(!found, 0)) {                                                            \
      found = knotNext(symbol);                                                                   \
      atomic_store_explicit(&next, found, memory_order_relaxed);                                  \
    }                                                                                             \
    (__typeof__(&name))found;                                                                     \
  })

#if KNOT_SUPPORTED
/// Unlocking a lock of the kit is no point at which other jobs may come.
#define pthread_mutex_unlock(mutex) NEXT(pthread_mutex_unlock)(mutex)
#endif

/// The code that calls the function in which this stands.
///
/// The optimiser moves rare branches into functions of their own, where the builtin would give another answer;
/// a volatile variable stays.
#define CALLER() ({ const void *volatile caller = __builtin_return_address(0); caller; })

/// Whether tasks that are made are noted for the explanation of a hang, and where. A task that comes to the address of
/// one before takes its place, so nobody has to tell when a task ends.
extern _Atomic bool knotNotesTasks;
extern KnotTable knotTasks;

/// The code of the program, or of a library.
typedef struct {
  uintptr_t start, end;
  /// Where its file is loaded, and the file.
  uintptr_t base;
  const char *path;
} KnotModule;

extern KnotModule knotProgram, knotConcurrency, knotTesting, knotFoundation, knotEssentials;

static inline bool knotIsIn(const KnotModule *module, const void *address) {
  return (uintptr_t)address >= module->start && (uintptr_t)address < module->end;
}

/// Whether there is a task at an address.
bool knotIsTask(const void *address);

/// The run of the calling thread, or else the one that the current task belongs to.
KnotRun *knotRunOfCurrentTask(void);

/// For a thread that works for no run: whether an actor was made in a run that is open.
///
/// If so it gives the run's door, and the arrival there is told.
bool knotReachesOwner(const void *actor, KnotExecutor *door);

/// Lets jobs that wait for a lock try again, at the end of a job; at the end of the outermost one until none waits.
void knotSettle(KnotRun *run, bool isOutermost);

bool knotHas(KnotTable *set, const void *address);
/// Returns whether the address is new.
bool knotAdd(KnotTable *set, const void *address);
void knotRemove(KnotTable *set, const void *address);
/// Forgets an actor that is destroyed.
void knotForget(const void *actor);

/// A run with a job that has gone on for longer than it may; called every 50 milliseconds.
KnotRun *knotStuckRun(void);

/// Fills memory with random numbers of the run.
void knotDraw(KnotRun *run, void *memory, size_t count);

/// Installs the handlers of signals, and starts the thread that watches.
void knotInstallLastWords(void);

/// Whether a signal ends the process. From then on no thread gives way to another one: the handler of Swift stops all
/// threads, and shows where each is.
extern _Atomic bool knotIsDying;

/// Calls a function every 50 milliseconds, on a thread of its own.
void knotWatch(void (*tick)(void));

/// Tells the executor that is about to be given a job where the job comes from.
void knotArrives(const void *actor, bool hops, bool isShared);

#endif

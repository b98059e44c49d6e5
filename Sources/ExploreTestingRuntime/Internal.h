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
#include <time.h>

/// Marks a definition that replaces the runtime's own.
///
/// It is weak: if the runtime is linked statically, the runtime's definition wins and linking still succeeds. Then the kit
/// detects before the first seed that this definition is never called.
#define REPLACES __attribute__((weak, visibility("default")))

/// Marks a definition that replaces a function of the C library.
///
/// A sanitizer adds its own weak definitions, so under a sanitizer these definitions are strong, and they call the sanitizer's
/// definitions.
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
  /// The number of slots in use, including tombstones; also read without the lock.
  _Atomic size_t used;
} KnotTable;

struct KnotRun {
  /// The part that the code under test uses. It has to be the first member.
  ExploreRun seen;
  const void *owner;
  KnotExecutor taskExecutor;
  KnotExecutor reference;
  KnotExecutor mainExecutor;
  KnotExecutor door;
  KnotCallbacks kit;
  /// The default actors that were created in the run.
  KnotTable actors;
  /// The tasks that were resumed and have not started to wait for another continuation.
  KnotTable resumed;
  /// The number of the run's first task. Tasks created later have higher numbers.
  uint64_t firstTask;
  /// Whether the run was opened within another run.
  bool isInner;
  _Atomic uint64_t escaped;
  int64_t seconds;
  int64_t nanoseconds;
  /// The offset of the wall clock from the time above; its nanoseconds are not negative.
  struct timespec date;
  /// How many random numbers the run has drawn.
  uint64_t draws;
  /// How many times the run has read clocks or random sources that it does not control.
  uint64_t readings;
  /// The start of the test's name.
  char test[200];
  /// The number of the run in the test.
  uint64_t number;
  /// The maximum duration of a job, in milliseconds.
  int64_t patience;
  /// The number of jobs that have started.
  _Atomic uint64_t jobs;
  /// Whether a job is running.
  _Atomic bool isBusy;
  /// Whether other jobs may run between two instructions of a job.
  bool interrupts;
  /// The threads that are in the middle of a job.
  KnotHand *crew;
  /// The thread that drives the run.
  KnotHand *driver;
  /// The threads that are waiting for a lock or a semaphore.
  KnotHand *waiting;
  /// How many times a thread has ended its job or a wait.
  uint64_t advances;
  /// The run, lender and crewmate that the driving thread had before it joined this crew. They are restored when the crew is
  /// empty.
  struct KnotRun *outerRun;
  KnotHand *outerLender;
  KnotHand *outerCrewmate;
  /// For the watching thread: the number of jobs when it last looked, and the milliseconds since that number changed.
  uint64_t seenJobs;
  int64_t seenFor;
  struct KnotRun *next;
};

/// The number of open runs, and of those that were opened within another run.
extern _Atomic size_t knotLiveRuns, knotInnerRuns;

/// Finds the original definition of a function that this target replaces.
void *knotNext(const char *name);

/// The original definition of `name`, which each use of this macro looks up when it first runs.
#define NEXT(name) NEXT_CALLED(name, #name)

/// Like `NEXT`, for a function whose linker name differs from its declared name.
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
/// Other jobs must not run where the kit unlocks its own locks.
#define pthread_mutex_unlock(mutex) NEXT(pthread_mutex_unlock)(mutex)
#endif

/// The return address of the current function, which tells what code called it.
///
/// The optimizer moves rare branches into separate functions, where the builtin would return the wrong address. The volatile
/// variable prevents that.
#define CALLER() ({ const void *volatile caller = __builtin_return_address(0); caller; })

/// Whether new tasks are recorded, so that a hang can be explained.
extern _Atomic bool knotNotesTasks;
/// The tasks recorded so far. A new task replaces an earlier one at the same address, so the end of a task need not be recorded.
extern KnotTable knotTasks;

/// The keys of the task-local values that the testing library has set so far.
extern KnotTable knotTestingKeys;

/// The code of the program or of a library.
typedef struct {
  uintptr_t start, end;
  /// The address at which its file is loaded, and the path of that file.
  uintptr_t base;
  const char *path;
} KnotModule;

extern KnotModule knotProgram, knotConcurrency, knotTesting, knotFoundation, knotEssentials;

static inline bool knotIsIn(const KnotModule *module, const void *address) {
  return (uintptr_t)address >= module->start && (uintptr_t)address < module->end;
}

/// Whether there is a task at an address.
bool knotIsTask(const void *address);

/// The run of the calling thread, or else the run of the current task.
KnotRun *knotRunOfCurrentTask(void);

/// Returns whether an actor was created in an open run. In this case, stores the run's door in `door` and registers the arrival
/// there.
///
/// Only a thread that works for no run calls this function.
bool knotReachesOwner(const void *actor, KnotExecutor *door);

/// Lets jobs that wait for a lock or a semaphore try again at the end of a job. On the thread that drives the run, repeats this
/// until no job waits.
void knotSettle(KnotRun *run);

/// Converts a date of the calling thread's run to the machine's date. Outside a run, returns the same date.
struct timespec knotMachineDate(const struct timespec *date);

/// Prepares the calling thread for leaving its run: the waiting jobs end and, if the thread leaves its outermost run, it may use
/// all its cores again.
void knotRest(const KnotRun *before);

bool knotHas(KnotTable *set, const void *address);
/// Returns whether the address is new.
bool knotAdd(KnotTable *set, const void *address);
void knotRemove(KnotTable *set, const void *address);
/// Removes a destroyed actor, or a task that waits for another continuation, from all runs.
void knotForget(const void *address);

/// Returns a run with a job that has taken too long, or null; called every 50 milliseconds.
KnotRun *knotStuckRun(void);

/// Fills memory with the run's random numbers.
void knotDraw(KnotRun *run, void *memory, size_t count);

/// Installs the signal handlers and starts the watching thread.
void knotInstallLastWords(void);

/// Gives the calling thread a stack for the signal handler, because the thread's own stack may overflow.
void knotPrepareLastWords(void);

/// Whether the process is ending, because of a signal or because a run called an `exit` function. No thread then yields to
/// another one, because Swift's signal handler stops all threads and shows where each of them is.
extern _Atomic bool knotIsDying;

/// Calls a function every 50 milliseconds on its own thread.
void knotWatch(void (*tick)(void));

/// Registers where the next job comes from, for the executor that is about to receive it.
void knotArrives(const void *actor, bool hops, bool isShared);

#endif

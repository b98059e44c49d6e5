#ifndef EXPLORE_TESTING_SEAMS_H
#define EXPLORE_TESTING_SEAMS_H

// Everything that the kit assumes about the Swift runtime beyond its stable interface. Design/porting.md says how the kit
// tests each assumption before the first run of a process.

#include "ExploreTestingRuntime.h"

#define SWIFT_CC __attribute__((swiftcall))
#define SWIFT_ASYNC_CC __attribute__((swiftasynccall))
#define SWIFT_ASYNC_CONTEXT __attribute__((swift_async_context))
#define SWIFT_CONTEXT __attribute__((swift_context))
#define SWIFT_ERROR __attribute__((swift_error_result))

// MARK: Creating tasks

/// An option of a new task; see `include/swift/ABI/TaskOptions.h` of the Swift project.
typedef struct Option {
  size_t flags;
  struct Option *parent;
} Option;

typedef struct {
  Option base;
  KnotExecutor executor;
} ExecutorOption;

enum {
  initialSerialExecutor = 0,
  taskGroup = 1,
  asyncLet = 2,
  asyncLetWithBuffer = 3,
  initialTaskExecutorUnowned = 5,
  initialTaskExecutorOwned = 6,
};

typedef struct {
  void *task;
  void *context;
} TaskAndContext;

/// The flag of a task that copies the task-local values of its creator.
static const size_t copiesTaskLocals = 1 << 10;

SWIFT_CC TaskAndContext swift_task_create(size_t flags, Option *options, const void *resultType,
                                          void *entry, void *context);

/// A key is an object of the class `TaskLocal`.
SWIFT_CC void swift_task_localValuePush(const void *key, void *value, const void *type);

SWIFT_CC void swift_task_immediate(void *task, const void *identity, uintptr_t implementation);

SWIFT_CC void swift_task_deinitOnExecutor(void *object, void *work, const void *identity,
                                          uintptr_t implementation, size_t flags);

// MARK: Jobs and tasks

/// The beginning of a job; see `include/swift/ABI/Task.h` of the Swift project.
typedef struct {
  void *header[2];
  void *schedulerPrivate[2];
  uint32_t flags;
  uint32_t number;
  void *voucher;
  void *reserved;
  void *run;
} Job;

enum { taskKind = 0, actorKind = 193 };

/// The beginning of a task, which compiled code depends on. `KnotLayout` describes the rest.
typedef struct {
  uintptr_t metadata;
  void *counts, *queue[2];
  uint32_t flags, number;
  void *voucher, *reservedJob;
  const void *resume;
  const void *const *context;
} Task;

extern const uint32_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));

// MARK: Functions that the kit calls or replaces

extern SWIFT_CC void *swift_task_getCurrent(void);
extern SWIFT_CC KnotExecutor swift_task_getCurrentExecutor(void);
extern SWIFT_CC KnotExecutor swift_task_getPreferredTaskExecutor(void);
extern SWIFT_CC uint64_t swift_task_getJobTaskId(const void *job);
extern SWIFT_CC void swift_task_enqueue(const void *job, const void *identity, uintptr_t impl);
extern SWIFT_CC void swift_job_run_on_serial_and_task_executor(const void *job, const void *serial,
                                                               uintptr_t serialImpl,
                                                               const void *task,
                                                               uintptr_t taskImpl);
extern void *swift_retain(void *object);

typedef SWIFT_ASYNC_CC void Resume(SWIFT_ASYNC_CONTEXT void *context);

SWIFT_ASYNC_CC void swift_task_switch(SWIFT_ASYNC_CONTEXT void *context, Resume *resume,
                                      const void *identity, uintptr_t implementation);

SWIFT_CC void *swift_continuation_init(void *context, size_t flags);
SWIFT_CC void swift_continuation_resume(void *task);
SWIFT_CC void swift_continuation_throwingResume(void *task);
SWIFT_CC void swift_continuation_throwingResumeWithError(void *task, void *error);

/// `Task.isCancelled` and `Task.checkCancellation()`.
#define IS_CANCELLED "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ"
typedef SWIFT_CC bool IsCancelled(void);
#define CHECK_CANCELLATION "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ"
typedef SWIFT_CC void CheckCancellation(SWIFT_CONTEXT void *self, SWIFT_ERROR void **error);

/// `withCheckedContinuation` and its throwing version, which debug builds call in the library. The caller's isolation, the
/// caller's name and the closure take two words each.
#define CHECKED "$ss23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF"
#define CHECKED_THROWING \
  "$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF"
typedef SWIFT_ASYNC_CC void WithContinuation(SWIFT_ASYNC_CONTEXT void *context, void *result,
                                             uintptr_t actor0, uintptr_t actor1, uintptr_t name0,
                                             uintptr_t name1, void *body, void *captured,
                                             const void *type);

/// Compiled code calls this before it throws an error, so that a debugger can stop there.
SWIFT_CC void swift_willThrow(SWIFT_CONTEXT void *self, SWIFT_ERROR void **error);

SWIFT_CC void swift_defaultActor_initialize(void *actor);
SWIFT_CC void swift_defaultActor_destroy(void *actor);

void swift_once(void *predicate, void (*function)(void *), void *context);

#if KNOT_SUPPORTED
extern const char _dispatch_main_q __attribute__((weak));
void dispatch_assert_queue(const void *queue);
#endif

extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size,
                            uint32_t flags) __attribute__((weak));

// MARK: Chance

void swift_stdlib_random(void *memory, size_t count);
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t bound);
void arc4random_buf(void *memory, size_t count);

/// Foundation's `UUID.init()`, which returns 16 bytes in two words.
#define MAKE_UUID "$s20FoundationEssentials4UUIDVACycfC"
typedef struct {
  uint64_t words[2];
} UUID;
typedef SWIFT_CC UUID MakeUUID(void);

/// The symbol of the standard library's hashing parameters.
///
/// The kit finds it with `dlsym`, because a direct reference could bind to a copy that the linker creates.
#define HASHING "_swift_stdlib_Hashing_parameters"
typedef struct {
  uint64_t seed0, seed1;
  bool isDeterministic;
} Hashing;

// MARK: Dispatch

void dispatch_after_f(uint64_t when, void *queue, void *context, void (*work)(void *));

/// The bits of a Dispatch deadline that count nanoseconds; the other two bits select the clock.
static const uint64_t dispatchNanoseconds = ~(3ull << 62);

// MARK: Hooks

typedef SWIFT_CC KnotExecutor MainOriginal(void);
typedef SWIFT_CC KnotExecutor MainHook(MainOriginal *original);
typedef SWIFT_CC void GlobalOriginal(const void *job);
typedef SWIFT_CC void GlobalHook(const void *job, GlobalOriginal *original);
typedef SWIFT_CC void CheckOriginal(KnotExecutor executor);
typedef SWIFT_CC void CheckHook(KnotExecutor executor, CheckOriginal *original);

extern MainHook *swift_task_getMainExecutor_hook __attribute__((weak));
extern GlobalHook *swift_task_enqueueGlobal_hook __attribute__((weak));
extern CheckHook *swift_task_checkIsolated_hook __attribute__((weak));

// MARK: Libraries

/// A function of each library, by which the kit locates the library's code.
#define IN_CONCURRENCY "swift_get_time"
#define IN_TESTING "swt_abiv0_getEntryPoint"
#define IN_ESSENTIALS "$s20FoundationEssentials4DateVACycfC"
#define IN_FOUNDATION "$s10Foundation6NSLockC6unlockyyF"

/// `XCTFail(_: String, file: StaticString, line: UInt)`; a static string is an address, a count and flags.
#define FAIL "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
typedef SWIFT_CC void Fail(uintptr_t text0, uintptr_t text1, const char *file, size_t count,
                           uint8_t flags, uintptr_t line);

/// `XCTestCase.recordFailure(withDescription: String, inFile: String, atLine: Int, expected: Bool)`
#define RECORD "$s6XCTest0A4CaseC13recordFailure15withDescription6inFile6atLine8expectedySS_SSSiSbtF"
typedef SWIFT_CC void RecordFailure(uintptr_t text0, uintptr_t text1, uintptr_t file0,
                                    uintptr_t file1, intptr_t line, bool expected,
                                    SWIFT_CONTEXT void *self);

/// `XCTestCase.invokeTest()`, and the getter of `XCTestCase.name`, which returns a string in two words.
#define INVOKE "$s6XCTest0A4CaseC10invokeTestyyF"
typedef SWIFT_CC void Invoke(SWIFT_CONTEXT void *self);
#define NAME "$s6XCTest0A4CaseC4nameSSvg"
typedef struct {
  uintptr_t words[2];
} String;
typedef SWIFT_CC String Name(SWIFT_CONTEXT void *self);

#endif

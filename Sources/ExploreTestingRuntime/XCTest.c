// Calls XCTest if the process contains it; the kit does not link XCTest.

#define _GNU_SOURCE
#include "Internal.h"

#if KNOT_SUPPORTED

#include <dlfcn.h>
#include <string.h>

/// Whether a failure reported on this thread has reached a test.
static _Thread_local bool isHeard;

bool knot_fail_xctest(uintptr_t text0, uintptr_t text1, const char *file, uintptr_t line) {
  enum { isASCII = 2 };
  Fail *fail = (Fail *)dlsym(RTLD_DEFAULT, FAIL);
  isHeard = false;
  // A static string must stay valid forever, so this copy is never freed.
  if (fail) fail(text0, text1, strdup(file), strlen(file), isASCII, line);
  return isHeard;
}

static void *_Atomic running;

Invoke knotInvoke __asm__(INVOKE);

/// Notes which test runs; XCTest runs one test at a time.
REPLACES SWIFT_CC void knotInvoke(SWIFT_CONTEXT void *self) {
  Invoke *next = (Invoke *)knotNext(INVOKE);
  running = self;
  if (next) next(self);
  running = NULL;
}

bool knot_xctest_name(void *string) {
  Name *name = (Name *)dlsym(RTLD_DEFAULT, NAME);
  void *test = running;
  if (!name || !test) return false;
  *(String *)string = name(test);
  return true;
}

static _Atomic bool hasFailure, isSilenced;

bool knot_take_xctest_failure(void) { return atomic_exchange(&hasFailure, false); }
void knot_silence_xctest(bool isSilent) { isSilenced = isSilent; }

RecordFailure knotRecordFailure __asm__(RECORD);

/// Test classes are linked with this function instead of the inherited method.
REPLACES SWIFT_CC void knotRecordFailure(uintptr_t text0, uintptr_t text1, uintptr_t file0,
                                         uintptr_t file1, intptr_t line, bool expected,
                                         SWIFT_CONTEXT void *self) {
  if (knotCurrent) {
    hasFailure = true;
    if (isSilenced) return;
  }
  isHeard = true;
  RecordFailure *next = (RecordFailure *)knotNext(RECORD);
  if (next) next(text0, text1, file0, file1, line, expected, self);
}

#endif

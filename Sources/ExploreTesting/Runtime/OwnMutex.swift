private import ExploreTestingRuntime
internal import Synchronization

/// A mutex for the kit's own state.
///
/// While a thread holds the mutex, no other job of the run can interrupt that thread. Otherwise the interrupting job could
/// need the mutex while the interrupted thread holds it.
struct OwnMutex<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  init(_ value: consuming sending Value) { mutex = Mutex(value) }

  borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    knot_hold()
    defer { knot_let_go() }
    return try mutex.withLock(body)
  }
}

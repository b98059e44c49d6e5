private import ExploreTestingRuntime
internal import Synchronization

/// A mutex of the kit: while it is held, no other job of the run comes in the middle.
///
/// A job that came there would find the mutex taken by its own thread.
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

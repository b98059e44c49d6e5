import Foundation
import Synchronization

/// A state behind a lock of Foundation.
///
/// A run may interrupt code that unlocks it. It does not see that a `Mutex` is unlocked.
final class Guarded<State>: @unchecked Sendable {
  private let mutex = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  func with<Result>(_ body: (inout State) -> Result) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return body(&state)
  }
}

/// A continuation that counts how often it is resumed, because a second time would end the process.
final class Waiter<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, Never>
  private let resumptions = Tally()

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  /// Resumes the task that waits.
  ///
  /// - Returns: Whether this was the first time.
  @discardableResult
  func resume(returning value: Value) -> Bool {
    guard resumptions.add() == 1 else { return false }
    continuation.resume(returning: value)
    return true
  }
}

extension Waiter<Void> {
  @discardableResult
  func resume() -> Bool { resume(returning: ()) }
}

/// Suspends the task until its waiter is resumed.
func parked<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ body: (Waiter<Value>) -> Void
) async -> Value {
  await withCheckedContinuation(isolation: isolation) { body(Waiter($0)) }
}

/// A count that all tasks may raise.
final class Tally: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }

  /// Raises the count, and returns it.
  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    count.withLock {
      $0 += amount
      return $0
    }
  }
}

/// Lets the other tasks run as far as they can; a second is a long time for them.
func settle() async { try? await Task.sleep(for: .seconds(1)) }

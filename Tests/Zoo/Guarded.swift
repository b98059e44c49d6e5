import Foundation
import Synchronization

/// A state that an `NSLock` guards.
///
/// A run can switch tasks when code unlocks an `NSLock`. It does not notice when code unlocks a `Mutex`.
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

/// A continuation that reports a second resumption to the caller instead of ending the process.
final class Waiter<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, Never>
  private let resumptions = Tally()

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  /// Resumes the waiting task.
  ///
  /// - Returns: Whether this was the first resumption.
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

/// A count that any task can increase.
final class Tally: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }

  /// Increases the count and returns it.
  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    count.withLock {
      $0 += amount
      return $0
    }
  }
}

/// Sleeps for a second, during which the other tasks run as far as they can.
func settle() async { try? await Task.sleep(for: .seconds(1)) }

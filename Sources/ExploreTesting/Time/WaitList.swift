internal import Synchronization

/// Tasks that wait for a value to be reached: a number of elements or sleepers, or the time of a clock.
final class WaitList<Value: Comparable & Sendable>: Sendable {
  private struct Waiter {
    let id: Int
    let value: Value
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var lastID = 0
    /// The waiters, sorted by value; those with equal values keep the order in which they arrived.
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.waiters.count } }
  /// The lowest value that any task waits for; `nil` if no task is waiting.
  var first: Value? { state.withLock { $0.waiters.first?.value } }

  /// Suspends until a value is reached, or the wait is cancelled.
  ///
  /// - Parameters:
  ///   - value: The value to wait for.
  ///   - reached: Returns the current value. The closure is called after the task is registered, so code that changes the value
  ///     must call ``resume(reached:)`` afterward.
  /// - Returns: Whether the value was reached.
  func wait(until value: Value, _ reached: () -> Value) async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          let index = state.waiters.lastIndex { $0.value <= value }.map { $0 + 1 } ?? 0
          state.waiters.insert(Waiter(id: id, value: value, continuation: continuation), at: index)
        }
        // `reached()` sees each earlier change of the value, and a later change calls `resume(reached:)`, which finds the waiter.
        if Task.isCancelled { resume(false) { $0.id == id } }
        resume(reached: reached())
      }
    } onCancel: {
      resume(false) { $0.id == id }
    }
  }

  /// Resumes the tasks whose value is reached.
  func resume(reached value: Value) { resume(true) { $0.value <= value } }

  /// Resumes all tasks as if each were cancelled.
  func cancelAll() { resume(false) { _ in true } }

  private func resume(_ isReached: Bool, where isMeant: (Waiter) -> Bool) {
    let due = state.withLock { state in
      let due = state.waiters.filter(isMeant)
      if !due.isEmpty { state.waiters.removeAll(where: isMeant) }
      return due
    }
    for waiter in due { waiter.continuation.resume(returning: isReached) }
  }
}

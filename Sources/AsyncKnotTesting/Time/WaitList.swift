internal import Synchronization

/// Tasks that wait until a count is reached: of elements, or of tasks that sleep.
final class WaitList: Sendable {
  private struct State {
    var lastID = 0
    var waiters: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Suspends until a count is reached, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - count: The count to wait for.
  ///   - reached: The count now. Who changes it calls ``resume(reached:)`` after that.
  func wait(until count: Int, _ reached: () -> Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiters.append((id, count, continuation)) }
        // Either this finds what has come meanwhile, or the one who brought it finds the waiter.
        if Task.isCancelled { resume { $0.id == id } }
        resume(reached: reached())
      }
    } onCancel: {
      resume { $0.id == id }
    }
  }

  /// Resumes the tasks whose count is reached.
  func resume(reached count: Int) { resume { $0.count <= count } }

  private func resume(
    where isMeant: ((id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)) -> Bool
  ) {
    let due = state.withLock { state in
      let due = state.waiters.filter(isMeant)
      if !due.isEmpty { state.waiters.removeAll(where: isMeant) }
      return due
    }
    for waiter in due { waiter.continuation.resume() }
  }
}

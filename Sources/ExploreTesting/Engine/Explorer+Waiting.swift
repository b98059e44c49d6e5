internal import Synchronization

extension Explorer {
  /// Suspends until no other job is ready.
  func untilIdle() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.idlers.append(Parked(continuation)) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Resumes the task that has waited longest in ``untilIdle()``; returns `false` if no task is waiting there.
  func resumeIdler() -> Bool {
    let idler = state.withLock { $0.idlers.isEmpty ? nil : $0.idlers.removeFirst() }
    perform { idler?.resume() }
    return idler != nil
  }

  /// Waits until a job arrives from outside the run, the scenario ends, or the patience has passed.
  ///
  /// - Returns: Whether the run can continue.
  func outsideWorkCame(within patience: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let driver = Parked(continuation)
      let isDue = state.withLock { state in
        let isDue = !state.schedule.isEmpty || state.result != nil
        if !isDue { state.driver = driver }
        return isDue
      }
      if isDue { return driver.resume() }
      Task {
        try? await Task.sleep(for: patience)
        // If the wait has ended, the driver is gone or belongs to a later wait.
        state.withLock { $0.driver === driver ? $0.driver.take() : nil }?.resume()
      }
    }
    return hasReadyJob || result != nil
  }

  /// The texts that waiting tasks registered with `awaited`.
  var notes: [String] {
    state.withLock { $0.notes }.sorted { $0.key < $1.key }.map { $0.value() }
  }
}

/// The continuation of a waiting task, wrapped in an object.
///
/// The layout of `CheckedContinuation` is known only at run time. A continuation stored inline would make the layout of
/// `Explorer.State` dynamic as well, and slow down each access.
final class Parked: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func resume() { continuation.resume() }
}

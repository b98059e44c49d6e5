internal import Synchronization

extension Explorer {
  /// Suspends until nothing else is ready.
  func untilIdle() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.idlers.append(Parked(continuation)) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Resumes the first of the tasks that wait until nothing else is ready.
  ///
  /// - Returns: `false` if there is none.
  func resumeIdler() -> Bool {
    let idler = state.withLock { $0.idlers.isEmpty ? nil : $0.idlers.removeFirst() }
    perform { idler?.resume() }
    return idler != nil
  }

  /// Waits until a job comes from outside of the run or the scenario ends, as long as the patience lasts.
  ///
  /// - Returns: Whether there is something to do.
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
        // What has come before, or a later wait, has another driver.
        state.withLock { $0.driver === driver ? $0.driver.take() : nil }?.resume()
      }
    }
    return hasReadyJob || result != nil
  }

  /// What tasks wait for, as they say.
  var notes: [String] {
    state.withLock { $0.notes }.sorted { $0.key < $1.key }.map { $0.value() }
  }
}

/// The continuation of a task that waits, in an object.
///
/// The layout of `CheckedContinuation` is known only at run time. As a part of `Explorer.State` it would make
/// the layout of the state unknown, too, and each access would look it up.
final class Parked: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func resume() { continuation.resume() }
}

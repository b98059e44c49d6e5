internal import Synchronization

/// Carries out one save at a time; of the waiting saves it carries out only the newest.
final class SaveQueue: Sendable {
  private enum Turn {
    /// The caller encodes and writes its state now.
    case write
    /// A newer save was written instead, with this result.
    case replaced(Result<Void, any Error>)
  }

  private struct State {
    var isWriting = false
    /// The waiting saves, in order; the newest one is written for all of them.
    var waiting: [CheckedContinuation<Turn, Never>] = []
    /// The saves that the running write replaces.
    var represented: [CheckedContinuation<Turn, Never>] = []
  }

  private let state = Mutex(State())

  /// Calls a closure, or waits for a newer save that replaces this one.
  ///
  /// The place in the queue is taken before the closure encodes anything, so the saves are written
  /// in the order of the calls.
  ///
  /// - Parameter write: Encodes and writes a state.
  /// - Throws: The closure's error, that of the replacing save included; a `CancellationError` if
  ///   the task was cancelled before the call.
  func save(_ write: @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let turn = await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if !state.isWriting {
          state.isWriting = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isNow { continuation.resume(returning: .write) }
    }
    if case .replaced(let result) = turn { return try result.get() }
    let result: Result<Void, any Error>
    do {
      try await write()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    handOn(result)
    try result.get()
  }

  /// Resumes the replaced saves with the result, and lets the newest waiting save write.
  private func handOn(_ result: Result<Void, any Error>) {
    let (done, next) = state.withLock { state in
      let done = state.represented
      let last = state.waiting.popLast()
      state.represented = state.waiting
      state.waiting = []
      state.isWriting = last != nil
      return (done, last)
    }
    for continuation in done { continuation.resume(returning: .replaced(result)) }
    next?.resume(returning: .write)
  }
}

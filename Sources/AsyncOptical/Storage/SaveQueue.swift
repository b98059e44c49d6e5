internal import Synchronization

/// Writes one thing at a time, and of those that wait only the newest.
final class SaveQueue: Sendable {
  private enum Turn {
    /// The bytes are to be written now.
    case write
    /// A newer save was written in their place, with this result.
    case replaced(Result<Void, any Error>)
  }

  private struct State {
    var isWriting = false
    /// The saves that wait, in order: the newest stands for all of them.
    var waiting: [CheckedContinuation<Turn, Never>] = []
    /// Those whose save the one that is being written stands for.
    var represented: [CheckedContinuation<Turn, Never>] = []
  }

  private let state = Mutex(State())

  /// Writes bytes, or has newer ones written in their place.
  func save(_ bytes: [UInt8], to storage: any StateStorage) async throws {
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
      try await storage.write(bytes)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    handOn(result)
    try result.get()
  }

  /// Tells those whose save was left out of the result, and lets the newest that waits write.
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

internal import AsyncKnot
internal import Synchronization

/// Carries out one access to the storage at a time.
///
/// All accesses that wait when the storage becomes free form one batch, which runs its newest save and then its other accesses.
/// Unless a save fails or is cancelled, an access waits for at most one save that gets its turn after the access has arrived.
final class SaveQueue: Sendable {
  /// Resumes an access when its turn comes; `false` tells a save that a newer one has already succeeded.
  private typealias Turn = CheckedContinuation<Bool, Never>

  private struct Batch {
    /// The saves, oldest first; an older one is written only if all newer ones fail or are cancelled.
    var saves: [Turn] = []
    var loads = Fifo<Turn>()

    mutating func takeNext() -> Turn? { saves.popLast() ?? loads.popFirst() }
  }

  private struct State {
    var isBusy = false
    /// The accesses that run now, one after another.
    var batch = Batch()
    /// The accesses that have arrived since the batch began.
    var waiting = Batch()

    mutating func takeNext() -> Turn? {
      if let next = batch.takeNext() { return next }
      swap(&batch, &waiting)
      let next = batch.takeNext()
      isBusy = next != nil
      return next
    }
  }

  private let state = Mutex(State())

  /// Saves, unless a newer save of the batch has succeeded.
  ///
  /// A newer save that fails or is cancelled does not count.
  func save(_ write: @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    guard await turn({ $0.saves.append($1) }) else { return }
    var older: [Turn] = []
    defer { handOn(older) }
    try Task.checkCancellation()
    try await write()
    older = state.withLock { state in
      defer { state.batch.saves = [] }
      return state.batch.saves
    }
  }

  func alone<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    _ = await turn { $0.loads.append($1) }
    defer { handOn([]) }
    return try await body()
  }

  private func turn(_ wait: (inout Batch, Turn) -> Void) async -> Bool {
    await withCheckedContinuation { turn in
      let next = state.withLock { state in
        wait(&state.waiting, turn)
        return state.isBusy ? nil : state.takeNext()
      }
      next?.resume(returning: true)
    }
  }

  private func handOn(_ superseded: [Turn]) {
    for turn in superseded { turn.resume(returning: false) }
    state.withLock { $0.takeNext() }?.resume(returning: true)
  }
}

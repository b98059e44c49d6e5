internal import Synchronization

/// Carries out one access to a storage at a time; of the waiting saves it carries out only the
/// newest.
final class SaveQueue: Sendable {
  private enum Turn {
    /// The caller has its turn now.
    case now
    /// A newer save was written instead.
    case replaced
  }

  private struct Waiting {
    let isSave: Bool
    let continuation: CheckedContinuation<Turn, Never>
  }

  private struct State {
    var isBusy = false
    /// The waiting accesses, in order; the newest save is written for all saves.
    var waiting: [Waiting] = []
    /// The saves that the running save replaces, if it succeeds.
    var represented: [Waiting] = []

    /// Takes the access that has waited longest; if that is a save, the newest save in its place.
    mutating func takeNext() -> Waiting? {
      guard let first = waiting.first else { return nil }
      guard first.isSave else { return waiting.removeFirst() }
      represented = waiting.filter(\.isSave)
      waiting.removeAll(where: \.isSave)
      return represented.popLast()
    }
  }

  private let state = Mutex(State())

  // Calls a closure, or waits for a newer save that replaces this one.
  //
  // The place in the queue is taken before the closure encodes anything, so the saves are written
  // in the order of the calls. A save that fails, or is cancelled, replaces no other: then the
  // newest save before it is written.
  func save(_ write: @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    guard case .now = await turn(isSave: true) else { return }
    do {
      try Task.checkCancellation()
      try await write()
      handOn(hasSaved: true)
    } catch {
      handOn(hasSaved: false)
      throw error
    }
  }

  /// Calls a closure while nothing is saved.
  func alone<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    _ = await turn(isSave: false)
    defer { handOn(hasSaved: false) }
    return try await body()
  }

  private func turn(isSave: Bool) async -> Turn {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if !state.isBusy {
          state.isBusy = true
          return true
        }
        state.waiting.append(Waiting(isSave: isSave, continuation: continuation))
        return false
      }
      if isNow { continuation.resume(returning: .now) }
    }
  }

  /// Ends a turn: resumes the saves that were replaced, and gives the next access its turn.
  private func handOn(hasSaved: Bool) {
    let (replaced, next) = state.withLock { state in
      let replaced = hasSaved ? state.represented : []
      if !hasSaved { state.waiting.insert(contentsOf: state.represented, at: 0) }
      state.represented = []
      let next = state.takeNext()
      state.isBusy = next != nil
      return (replaced, next)
    }
    for save in replaced { save.continuation.resume(returning: .replaced) }
    next?.continuation.resume(returning: .now)
  }
}

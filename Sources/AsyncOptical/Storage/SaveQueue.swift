internal import Synchronization

/// Carries out one access to a storage at a time, in the order of the calls; of the saves that wait
/// it carries out the newest first.
final class SaveQueue: Sendable {
  private struct Access {
    let number: Int
    let isSave: Bool
    let turn: CheckedContinuation<Int, Never>

    func begin() { turn.resume(returning: number) }
  }

  private struct State {
    var isBusy = false
    var lastNumber = 0
    /// The number of the newest save that has succeeded.
    var saved = 0
    var waiting: [Access] = []

    /// Begins the access that has waited longest; if that is a save, the newest save in its place.
    mutating func takeNext() -> Access? {
      isBusy = !waiting.isEmpty
      guard let first = waiting.first else { return nil }
      return waiting.remove(at: first.isSave ? waiting.lastIndex(where: \.isSave) ?? 0 : 0)
    }
  }

  private let state = Mutex(State())

  /// Saves, unless a newer save has succeeded when the turn comes: older saves wait behind newer
  /// ones, so one that fails, or is cancelled, replaces none.
  func save(_ write: @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let number = await turn(isSave: true)
    defer { handOn() }
    guard state.withLock({ $0.saved < number }) else { return }
    try Task.checkCancellation()
    try await write()
    state.withLock { $0.saved = number }
  }

  func alone<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    _ = await turn(isSave: false)
    defer { handOn() }
    return try await body()
  }

  private func turn(isSave: Bool) async -> Int {
    await withCheckedContinuation { turn in
      let next = state.withLock { state in
        state.lastNumber += 1
        state.waiting.append(Access(number: state.lastNumber, isSave: isSave, turn: turn))
        return state.isBusy ? nil : state.takeNext()
      }
      next?.begin()
    }
  }

  private func handOn() {
    let next = state.withLock { $0.takeNext() }
    next?.begin()
  }
}

import AsyncDiff
import ProcessBoard
import Synchronization

/// The arrangements of the newest board, shared by tabs with the same options.
final class Arrangements: Sendable {
  private struct Shared {
    var number = 0
    var arrangements: [ViewOptions: Arrangement] = [:]
  }

  private let shared = Mutex(Shared())

  /// Returns the page of a tab.
  func snapshot(of board: Board, for tab: TabBinder.State) -> DiffableSnapshot<Part> {
    let board = tab.paused ?? board
    return arrangement(of: board, by: tab.options).snapshot(for: tab, of: board)
  }

  /// Returns an arrangement, which is created outside the lock.
  ///
  /// Two tabs may create the same arrangement at the same time, but neither waits for the other.
  private func arrangement(of board: Board, by options: ViewOptions) -> Arrangement {
    if let known = shared.withLock({ $0.number == board.number ? $0.arrangements[options] : nil }) {
      return known
    }
    let new = Arrangement(of: board, by: options)
    let old = shared.withLock { shared -> Shared? in
      guard board.number >= shared.number else { return nil }
      var old: Shared?
      if board.number > shared.number { (old, shared) = (shared, Shared(number: board.number)) }
      shared.arrangements[options] = new
      return old
    }
    // Release the removed values here, outside the lock.
    withExtendedLifetime(old) {}
    return new
  }
}

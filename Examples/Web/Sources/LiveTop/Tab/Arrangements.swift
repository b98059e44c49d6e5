import AsyncDiff
import ProcessBoard
import Synchronization

/// The arrangements of the newest board, which tabs with the same options share.
final class Arrangements: Sendable {
  private struct Shared {
    var number = 0
    var arrangements: [ViewOptions: Arrangement] = [:]
  }

  private let shared = Mutex(Shared())

  /// Returns the snapshot of a tab's page.
  func snapshot(of board: Board, for tab: TabBinder.State) -> DiffableSnapshot<Part> {
    let board = tab.paused ?? board
    return arrangement(of: board, by: tab.options).snapshot(for: tab, of: board)
  }

  /// Returns a shared arrangement, or creates it outside the lock.
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
    // Release the old arrangements outside the lock.
    withExtendedLifetime(old) {}
    return new
  }
}

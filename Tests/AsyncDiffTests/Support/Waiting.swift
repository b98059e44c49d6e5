@testable import AsyncDiff

extension DiffableDataSource {
  /// Waits until a number of snapshots wait to be shown, including the one that is being prepared.
  nonisolated func hasWaiting(_ count: Int) async {
    while queue.withLock({ $0.waiting.entries.count }) != count { await Task.yield() }
  }

  /// Waits until the task that prepares a snapshot is known, so that a newer one can end it.
  nonisolated func hasBegunToPrepare() async {
    func hasNoTask() -> Bool {
      queue.withLock { if case .preparing(_, by: nil) = $0.phase { true } else { false } }
    }
    while hasNoTask() { await Task.yield() }
  }
}

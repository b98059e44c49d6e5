@testable import AsyncDiff

extension DiffableDataSource {
  /// Waits until `count` snapshots wait to be shown, including the snapshot that is being prepared.
  nonisolated func hasWaiting(_ count: Int) async {
    while queue.withLock({ $0.waiting.entries.count }) != count { await Task.yield() }
  }

  /// Waits until the queue knows the task that prepares a snapshot, so that a newer snapshot can end that task.
  nonisolated func hasBegunToPrepare() async {
    func hasNoTask() -> Bool {
      queue.withLock { if case .preparing(_, by: nil) = $0.phase { true } else { false } }
    }
    while hasNoTask() { await Task.yield() }
  }
}

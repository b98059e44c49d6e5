@testable import AsyncDiff

extension DiffableDataSource {
  /// Waits until so many snapshots wait to be shown, the one that is being prepared included.
  nonisolated func hasWaiting(_ count: Int) async {
    while queue.withLock({ $0.waiting.entries.count }) != count { await Task.yield() }
  }
}

import AsyncDiff
import AsyncKnot

/// The surface of a tab's rows: a browser, which draws what reaches it as patches and says so.
actor Browser: CollectionSurface, StateHolder {
  struct State: Sendable {
    var isConnected = false
    /// What was sent last, and what the page has said last that it shows.
    var sent: SnapshotRevision?
    var drawn: SnapshotRevision?

    /// Whether it can draw something else now.
    var isReady: Bool { isConnected && sent == drawn }
  }

  let knot = Knot(State())
  nonisolated let nodePolicy = NodePolicy.none

  /// The patches carry it to the page, at the page's own pace.
  func reloadData(_ snapshot: DiffableSnapshot<Part>) {}

  /// The patches carry it to the page, at the page's own pace.
  func performBatchUpdates(_ batch: BatchUpdates<Part>, animated: Bool) {}

  /// Waits until the page has drawn what was sent; it may wait for ever.
  nonisolated func whenReady() async {
    for await state in states where state.isReady { return }
  }
}

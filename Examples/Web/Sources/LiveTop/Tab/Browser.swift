import AsyncDiff
import AsyncKnot

/// The surface of a tab's rows: a browser, which draws what reaches it as patches and says so.
actor Browser: CollectionSurface, StateActor {
  /// What is known of the page.
  ///
  /// Word of it may come late, and in any order: each connection has a number, and what belongs to an older
  /// one changes nothing.
  struct State: Sendable {
    private var connection = 0
    private var isConnected = false
    /// What was sent last, until the page says that it shows it.
    private(set) var outstanding: SnapshotRevision?

    /// Whether it can draw something else now.
    var isReady: Bool { isConnected && outstanding == nil }

    mutating func connect(_ number: Int) {
      guard number > connection else { return }
      self = State()
      connection = number
      isConnected = true
    }

    mutating func disconnect(_ number: Int) {
      guard number >= connection else { return }
      connection = number
      isConnected = false
    }

    mutating func willSend(_ revision: SnapshotRevision, on number: Int) {
      if number == connection { outstanding = revision }
    }

    mutating func didDraw(_ revision: SnapshotRevision) {
      if outstanding == revision { outstanding = nil }
    }
  }

  let knot = Knot(State())
  nonisolated let nodePolicy = NodeDemand.Policy.none

  /// The patches carry it to the page, at the page's own pace.
  func reloadData(_ snapshot: DiffableSnapshot<Part>) {}

  /// The patches carry it to the page, at the page's own pace.
  func performBatchUpdates(_ batch: BatchUpdates<Part>, animated: Bool) {}

  /// Waits until the page has drawn what was sent; it may wait for ever.
  nonisolated func whenReady() async {
    for await state in states where state.isReady { return }
  }
}

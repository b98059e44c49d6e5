import AsyncDiff
import AsyncKnot

/// The surface of a tab: a browser, which draws patches and confirms them.
actor Browser: CollectionSurface, StateActor {
  /// The state of the page, as far as the server knows it.
  ///
  /// Events may arrive late and in any order. Each connection has a number, and events of an older connection change nothing.
  struct State: Sendable {
    private var connection = 0
    private var isConnected = false
    /// The last revision that was sent, until the page confirms it.
    private(set) var outstanding: SnapshotRevision?

    /// Whether the page can draw another revision.
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

  /// Does nothing, because patches update the page at its own pace.
  func reloadData(_ snapshot: DiffableSnapshot<Part>) {}

  /// Does nothing, because patches update the page at its own pace.
  func performBatchUpdates(_ batch: BatchUpdates<Part>, animated: Bool) {}

  /// Waits until the page is connected and has confirmed each revision sent on that connection, which may never happen.
  nonisolated func whenReady() async {
    for await state in states where state.isReady { return }
  }
}

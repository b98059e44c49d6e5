import Synchronization

/// What the surface shows, for events to find their models by.
final class ShownItems<Section: SectionInflator>: Sendable {
  typealias Snapshot = DiffableSnapshot<Section>

  private struct State: Sendable {
    /// What the surface shows; `nil` before the first snapshot.
    var shown: Snapshot?
    /// What the call under way leads to.
    var incoming: Snapshot?
    /// Items that the last change removed, and whose end of display was not told yet.
    var departed: [ItemPath: Section.Item] = [:]
    var ignored = 0
  }

  private let state = Mutex(State())
  private let visible = VisibleItems<Section.Item.DiffIdentifier>()

  /// What the surface shows; `nil` before the first snapshot.
  var snapshot: Snapshot? { state.withLock { $0.shown } }

  /// How many events named a path where nothing was shown.
  var ignored: Int { state.withLock { $0.ignored } }

  /// The item that an action of the surface is about, as it was shown.
  ///
  /// While a call is under way, a row that appears belongs to what it leads to, any other to what was
  /// shown before. A row that ends its display may be gone already.
  func item(for action: NodeEvent.Action, at path: ItemPath) -> Section.Item? {
    let item = state.withLock { state in
      switch action {
      case .willDisplay:
        (state.incoming ?? state.shown)?.itemIfPresent(at: path)
      case .endDisplay:
        state.departed.removeValue(forKey: path) ?? state.shown?.itemIfPresent(at: path)
      case .didSelect, .didDeselect, .didHighlight, .didUnhighlight, .ok, .cancel:
        state.shown?.itemIfPresent(at: path)
      }
    }
    if let item { visible.note(action, item.diffIdentifier) }
    return item
  }

  /// Notes what a surface tells of an item that it names by a snapshot of its own.
  func note(_ action: NodeEvent.Action, _ item: Section.Item, at path: ItemPath) {
    let id = item.diffIdentifier
    visible.note(action, id)
    guard action == .endDisplay,
      state.withLock({ $0.departed[path] })?.diffIdentifier == id
    else { return }
    let ended = state.withLock { $0.departed.removeValue(forKey: path) }
    withExtendedLifetime(ended) {}
  }

  func countIgnored() {
    state.withLock { $0.ignored += 1 }
  }

  /// Where the model of an event is now; the event's own path, if it is gone.
  func path(of event: NodeEvent) -> ItemPath {
    guard let snapshot, let item = event.model.unwrapped(as: Section.Item.self) else {
      return event.path
    }
    let id = item.diffIdentifier
    if snapshot.itemIfPresent(at: event.path)?.diffIdentifier == id { return event.path }
    return snapshot.path(ofItem: id) ?? event.path
  }

  /// Notes that the surface is called to draw everything anew.
  func willReload(_ snapshot: Snapshot) {
    let shown = self.snapshot
    var gone: [ItemPath: Section.Item] = [:]
    for id in visible.ids ?? [] where snapshot.path(ofItem: id) == nil {
      guard let path = shown?.path(ofItem: id) else { continue }
      gone[path] = shown?.item(at: path)
    }
    exchange { state in
      state.incoming = snapshot
      state.departed = gone
    }
  }

  /// Notes that the surface is called to carry out one stage, the first of a change or a later one.
  func willPerform(_ batch: BatchUpdates<Section>, isFirst: Bool) {
    guard let shown = snapshot else { return }
    var gone = batch.itemDeletes
    for section in batch.sectionDeletes {
      gone += (0..<shown.numberOfItems(in: section)).map { ItemPath(section: section, item: $0) }
    }
    let visible = visible.ids
    var departing: [ItemPath: Section.Item] = [:]
    for path in gone {
      let item = shown.item(at: path)
      if visible?.contains(item.diffIdentifier) != false { departing[path] = item }
    }
    exchange { state in
      state.incoming = batch.snapshot
      if isFirst { state.departed = [:] }
      state.departed.merge(departing) { _, newer in newer }
    }
  }

  /// Notes that the surface is done with the call.
  func didShow(_ snapshot: Snapshot) {
    exchange { state in
      state.shown = snapshot
      state.incoming = nil
    }
  }

  /// Changes the state, and lets what it held before die outside the lock.
  private func exchange(_ change: (inout State) -> Void) {
    let before = state.withLock { state in
      let before = state
      change(&state)
      return before
    }
    withExtendedLifetime(before) {}
  }
}

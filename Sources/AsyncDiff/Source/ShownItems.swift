import Synchronization

/// What the surface shows, for events to find their models by.
///
/// Which rows are on screen is known by their paths, which each change carries over. Paths are compared
/// under the lock; identifiers and items, whose comparisons are the user's code, never are.
final class ShownItems<Section: SectionInflator>: Sendable {
  typealias Snapshot = DiffableSnapshot<Section>

  fileprivate struct State: Sendable {
    /// What the surface shows; `nil` before the first snapshot.
    var shown: Snapshot?
    /// Whether the surface has failed: then it is not known what it shows.
    var isBroken = false
    /// What the call under way leads to, and the way there; without a way, by a reload.
    var incoming: (snapshot: Snapshot, map: PathMap?)?
    /// The rows on screen, by their paths in what is shown; `nil` if the surface never told that one
    /// appeared.
    var visible: Set<ItemPath>?
    /// The rows on screen after the call under way.
    var visibleNext: Set<ItemPath>?
    /// Items that the last change removed, and whose end of display was not told yet.
    var departed: [ItemPath: Section.Item] = [:]
    var ignored = 0
  }

  private let state = Mutex(State())

  /// What the surface shows; `nil` before the first snapshot.
  var snapshot: Snapshot? { state.withLock { $0.shown } }

  /// What the next snapshot is to be compared with; `nil` if the surface has to be loaded.
  var base: Snapshot? { state.withLock { $0.isBroken ? nil : $0.shown } }

  /// How many events named a path where nothing was shown.
  var ignored: Int { state.withLock { $0.ignored } }

  /// The item that an action of the surface is about, as it was shown.
  ///
  /// While a call is under way, a row that appears belongs to what it leads to, any other to what was
  /// shown before. A row that ends its display may be gone already.
  func item(for action: NodeEvent.Action, at path: ItemPath) -> Section.Item? {
    state.withLock { state -> Section.Item? in
      switch action {
      case .willDisplay:
        guard let item = (state.incoming?.snapshot ?? state.shown)?.itemIfPresent(at: path)
        else { return nil }
        state.appear(path)
        return item
      case .endDisplay:
        if let item = state.departed.removeValue(forKey: path) { return item }
        state.disappear(path)
        return state.shown?.itemIfPresent(at: path)
      case .didSelect, .didDeselect, .didHighlight, .didUnhighlight, .ok, .cancel:
        return state.shown?.itemIfPresent(at: path)
      }
    }
  }

  /// Notes what a surface tells of an item that it names by a snapshot of its own.
  func note(_ action: NodeEvent.Action, _ item: Section.Item, at path: ItemPath) {
    let id = item.diffIdentifier
    let (departed, shown) = state.withLock {
      ($0.departed[path], $0.shown?.itemIfPresent(at: path))
    }
    switch action {
    case .willDisplay: state.withLock { $0.appear(path) }
    case .endDisplay where departed?.diffIdentifier == id:
      let ended = state.withLock { $0.departed.removeValue(forKey: path) }
      withExtendedLifetime(ended) {}
    case .endDisplay where shown?.diffIdentifier == id:
      state.withLock { $0.disappear(path) }
    case .endDisplay:
      state.withLock { _ = $0.visibleNext?.remove(path) }
    case .didSelect, .didDeselect, .didHighlight, .didUnhighlight, .ok, .cancel: break
    }
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
    let (shown, visible) = state.withLock { ($0.shown, $0.visible) }
    var gone: [ItemPath: Section.Item] = [:]
    var next = visible.map { _ in Set<ItemPath>() }
    for path in visible ?? [] {
      guard let shown, let item = shown.itemIfPresent(at: path) else { continue }
      let section = shown.sections[path.section].diffIdentifier
      if let place = snapshot.path(of: item.diffIdentifier, preferring: section) {
        next?.insert(place)
      } else {
        gone[path] = item
      }
    }
    exchange { state in
      state.incoming = (snapshot, nil)
      state.visibleNext = next
      state.departed = gone
    }
  }

  /// Notes that the surface is called to carry out one stage, the first of a change or a later one.
  func willPerform(_ batch: BatchUpdates<Section>, isFirst: Bool) {
    let visible = state.withLock { $0.visible }
    let map = batch.pathMap
    var gone: [ItemPath: Section.Item] = [:]
    if let visible {
      for path in visible where map.newPath(of: path) == nil {
        gone[path] = batch.previous.itemIfPresent(at: path)
      }
    } else {
      for path in batch.pathsOfGoneItems { gone[path] = batch.previous.item(at: path) }
    }
    exchange { state in
      state.incoming = (batch.snapshot, map)
      state.visibleNext = visible.map { map.newPaths(of: $0) }
      if isFirst { state.departed = [:] }
      state.departed.merge(gone) { _, newer in newer }
    }
  }

  /// Notes that the surface is done with the call.
  func didShow(_ snapshot: Snapshot) {
    exchange { state in
      state.shown = snapshot
      state.isBroken = false
      if state.incoming != nil { state.visible = state.visibleNext }
      state.incoming = nil
      state.visibleNext = nil
    }
  }

  /// Notes that the user has moved a row on the surface.
  func didMove(_ batch: BatchUpdates<Section>) {
    willPerform(batch, isFirst: false)
    didShow(batch.snapshot)
  }

  /// Notes that the surface has failed within a call.
  func didFail() {
    exchange { state in
      state.isBroken = true
      state.incoming = nil
      state.visibleNext = nil
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

extension ShownItems.State {
  /// A row appears: one of what the call under way leads to, if there is one.
  fileprivate mutating func appear(_ path: ItemPath) {
    guard incoming != nil else {
      visible = visible ?? []
      visible?.insert(path)
      return
    }
    visible = visible ?? []
    visibleNext = visibleNext ?? []
    visibleNext?.insert(path)
  }

  /// A row of what was shown before disappears, although it is not gone.
  fileprivate mutating func disappear(_ path: ItemPath) {
    visible?.remove(path)
    if let place = incoming?.map?.newPath(of: path) { visibleNext?.remove(place) }
  }
}

extension BatchUpdates {
  /// The paths of all items that the stage takes away.
  fileprivate var pathsOfGoneItems: [ItemPath] {
    itemDeletes
      + sectionDeletes.flatMap { section in
        previous.sections[section].items.indices.map { ItemPath(section: section, item: $0) }
      }
  }
}

extension DiffableSnapshot {
  /// The path of an item; of several with its identifier, the one in a certain section.
  fileprivate func path(of id: ItemID, preferring section: SectionID) -> ItemPath? {
    let first = path(ofItem: id)
    guard first != nil, tables.hasDuplicates, let offset = index(ofSection: section),
      let item = sections[offset].items.firstIndex(where: { $0.diffIdentifier == id })
    else { return first }
    return ItemPath(section: offset, item: item)
  }
}

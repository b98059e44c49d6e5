import AsyncKnot
import Synchronization

/// The items on the surface, which supply the models of events.
///
/// Rows on screen are stored as paths, and each change maps these paths to new ones. Only paths are compared under the lock,
/// because `==` of identifiers and items is user code.
final class ShownItems<Section: SectionInflator>: Sendable {
  typealias Snapshot = DiffableSnapshot<Section>

  fileprivate struct State: Sendable {
    /// The snapshot on the surface; `nil` before the first one.
    var shown: Snapshot?
    /// Whether the surface has failed, so its contents are unknown.
    var isBroken = false
    /// The change of the current call, if any.
    var incoming: Incoming?
    /// The rows on screen, as paths in `incoming`, or in `shown` between calls; `nil` if the surface has never sent
    /// `willDisplay`.
    var visible: Set<ItemPath>?
    /// Items that the last change removed and whose `endDisplay` has not been sent.
    ///
    /// Stages may remove several items at one path; the first one removed is the first to end its display.
    var departed: [ItemPath: [Section.Item]] = [:]
    var ignored = 0
    /// Counts the changes of this state.
    ///
    /// Code that makes a decision outside the lock compares this count afterward, and decides again if the count has changed.
    var revision: UInt64 = 0
  }

  /// The change that the current call carries out.
  fileprivate struct Incoming: Sendable {
    let snapshot: Snapshot
    let newPath: @Sendable (ItemPath) -> ItemPath?
    /// The rows on screen before the call, as paths in `shown`.
    let visible: Set<ItemPath>?
  }

  private let state = Mutex(State())

  /// The snapshot on the surface; `nil` before the first one.
  var snapshot: Snapshot? { state.withLock { $0.shown } }

  /// The snapshot to compare the next one with; `nil` if the surface must be reloaded.
  var base: Snapshot? { state.withLock { $0.isBroken ? nil : $0.shown } }

  /// The number of events at paths without an item.
  var ignored: Int { state.withLock { $0.ignored } }

  /// Returns the item of a surface's action, as it was shown.
  ///
  /// During a call, the path of `willDisplay` refers to the new snapshot, and the path of any other action to the
  /// previous one. The item of an `endDisplay` may have been removed.
  func item(for action: NodeAction, at path: ItemPath) -> Section.Item? {
    state.withLock { state -> Section.Item? in
      switch action {
      case .willDisplay:
        guard let item = (state.incoming?.snapshot ?? state.shown)?.itemIfPresent(at: path)
        else { return nil }
        state.appear(path)
        return item
      case .endDisplay:
        if let item = state.departed[path]?.first {
          state.revision += 1
          state.forgetDeparted(0, at: path)
          return item
        }
        state.disappear(path)
        return state.shown?.itemIfPresent(at: path)
      case .didSelect, .didDeselect, .didHighlight, .didUnhighlight, .ok, .cancel:
        return state.shown?.itemIfPresent(at: path)
      }
    }
  }

  /// Updates the rows on screen after an event whose path refers to a given snapshot.
  func note(_ action: NodeAction, _ item: Section.Item, at path: ItemPath) {
    switch action {
    case .willDisplay: state.withLock { $0.appear(path) }
    case .endDisplay:
      let id = item.diffIdentifier
      change { state in
        let departed = state.departed[path]?.firstIndex { $0.diffIdentifier == id }
        return (departed, state.shown?.itemIfPresent(at: path)?.diffIdentifier == id)
      } write: { state, found in
        switch found {
        case (let place?, _): state.forgetDeparted(place, at: path)
        case (nil, true): state.disappear(path)
        case (nil, false): if state.incoming != nil { state.visible?.remove(path) }
        }
      }
    case .didSelect, .didDeselect, .didHighlight, .didUnhighlight, .ok, .cancel: break
    }
  }

  func countIgnored() {
    state.withLock { $0.ignored += 1 }
  }

  /// Prepares for a reload by mapping the rows on screen to the new snapshot.
  func willReload(_ snapshot: Snapshot) {
    change { state in
      var gone: [ItemPath: [Section.Item]] = [:]
      var places: [ItemPath: ItemPath] = [:]
      for path in state.visible ?? [] {
        guard let shown = state.shown, let item = shown.itemIfPresent(at: path) else { continue }
        if let place = shown.path(of: path, in: snapshot) {
          places[path] = place
        } else {
          gone[path] = [item]
        }
      }
      return (state.visible == nil ? nil : places, gone)
    } write: { state, rows in
      let places = rows.0
      state.begin(Incoming(snapshot: snapshot, newPath: { places?[$0] }, visible: state.visible))
      state.departed = rows.1
    }
  }

  /// Prepares for a stage of a change by mapping the rows on screen to the stage's snapshot.
  func willPerform(_ batch: BatchUpdates<Section>, isFirst: Bool) {
    let map = batch.pathMap
    exchange { state in
      let gone = state.visible?.filter { map.newPath(of: $0) == nil } ?? Set(batch.pathsOfGoneItems)
      if isFirst { state.departed = [:] }
      for path in gone {
        if let item = batch.previous.itemIfPresent(at: path) {
          state.departed[path, default: []].append(item)
        }
      }
      state.begin(
        Incoming(snapshot: batch.snapshot, newPath: map.newPath(of:), visible: state.visible))
    }
  }

  /// Stores the shown snapshot after the surface's call has returned.
  func didShow(_ snapshot: Snapshot) {
    exchange { state in
      state.shown = snapshot
      state.isBroken = false
      state.incoming = nil
    }
  }

  func didMove(_ batch: BatchUpdates<Section>) {
    willPerform(batch, isFirst: false)
    didShow(batch.snapshot)
  }

  /// Records that the surface has failed, so its contents are unknown.
  func didFail() {
    exchange { state in
      state.isBroken = true
      if let incoming = state.incoming { state.visible = incoming.visible }
      state.incoming = nil
    }
  }

  /// Changes the state; releases its old value outside the lock.
  private func exchange(_ write: (inout State) -> Void) {
    let before = state.withLock { state in
      let before = state
      state.revision += 1
      write(&state)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Changes the state according to a decision, which is made outside the lock because it may call user code.
  ///
  /// Repeats the decision if the state has changed in the meantime. Also releases the old value outside the lock.
  private func change<Decision>(
    _ decide: (State) -> Decision, write: (inout State, Decision) -> Void
  ) {
    var isWritten = false
    while !isWritten {
      let before = state.withLock { $0 }
      let decision = decide(before)
      Spawn.preemptionPoint()
      isWritten = state.withLock { state in
        guard state.revision == before.revision else { return false }
        state.revision += 1
        write(&state, decision)
        return true
      }
      withExtendedLifetime(before) {}
    }
  }
}

extension ShownItems.State {
  /// Begins a call to the surface, and maps the rows on screen to their new paths.
  fileprivate mutating func begin(_ change: ShownItems.Incoming) {
    incoming = change
    visible = change.visible.map { Set($0.lazy.compactMap(change.newPath)) }
  }

  /// Adds a row to the rows on screen; during a call, its path refers to the new snapshot.
  fileprivate mutating func appear(_ path: ItemPath) {
    revision += 1
    visible = visible ?? []
    visible?.insert(path)
  }

  /// Removes one of the departed items at a path, because that item's display has ended.
  fileprivate mutating func forgetDeparted(_ place: Int, at path: ItemPath) {
    departed[path]?.remove(at: place)
    if departed[path]?.isEmpty == true { departed[path] = nil }
  }

  /// Removes a row of the shown snapshot from the rows on screen.
  fileprivate mutating func disappear(_ path: ItemPath) {
    revision += 1
    let place = if let incoming { incoming.newPath(path) } else { Optional(path) }
    if let place { visible?.remove(place) }
  }
}

extension BatchUpdates {
  /// The paths of all items that the stage removes.
  fileprivate var pathsOfGoneItems: [ItemPath] {
    operations.itemDeletes
      + operations.sectionDeletes.flatMap(previous.paths(inSection:))
  }
}

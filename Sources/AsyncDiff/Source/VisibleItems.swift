import Synchronization

/// Which items are on screen, as far as the surface tells.
final class VisibleItems<ID: Hashable & Sendable>: Sendable {
  private struct State: Sendable {
    var ids: Set<ID>?
    var version = 0
  }

  private let state = Mutex(State())

  /// The items on screen; `nil` if the surface never told that one appeared.
  var ids: Set<ID>? { state.withLock { $0.ids } }

  /// Notes an item that appears or disappears.
  ///
  /// Identifiers are hashed outside the lock; where another change came first, this one is made again.
  func note(_ action: NodeEvent.Action, _ id: ID) {
    guard action == .willDisplay || action == .endDisplay else { return }
    var isStored = false
    while !isStored {
      let seen = state.withLock { $0 }
      var changed = seen
      changed.version += 1
      if action == .willDisplay {
        changed.ids = (seen.ids ?? []).union([id])
      } else {
        changed.ids?.remove(id)
      }
      isStored = state.withLock { [changed] state in
        guard state.version == seen.version else { return false }
        state = changed
        return true
      }
      withExtendedLifetime(seen) {}
    }
  }
}

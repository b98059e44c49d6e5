public import Synchronization

/// The closures that are called with each transition, within the step that makes it, on the
/// holder's isolation.
///
/// The listeners are an object of their own, so that a listener does not keep the desk, which ends
/// with the holder.
@usableFromInline
final class TransitionListeners<Cause: Sendable, State: Sendable>: Sendable {
  typealias Listener = @Sendable (Transition<Cause, State>) -> Void

  private struct Table {
    var listeners: [(ticket: Int, hear: Listener)] = []
    var lastTicket = 0
  }

  private let table = Mutex(Table())
  @usableFromInline let hasAny = Atomic(false)

  init() {}

  /// Whether there is no listener; reading this takes no lock.
  @inlinable var isEmpty: Bool { !hasAny.load(ordering: .relaxed) }

  /// Reserves the ticket by which a listener is added and removed.
  func reserve() -> Int {
    table.withLock { table in
      table.lastTicket += 1
      return table.lastTicket
    }
  }

  func add(_ ticket: Int, _ listener: @escaping Listener) {
    table.withLock { table in
      table.listeners.append((ticket, listener))
      hasAny.store(true, ordering: .relaxed)
    }
  }

  func remove(_ ticket: Int) {
    let removed = table.withLock { table -> Listener? in
      let index = table.listeners.firstIndex { $0.ticket == ticket }
      let removed = index.map { table.listeners.remove(at: $0).hear }
      hasAny.store(!table.listeners.isEmpty, ordering: .relaxed)
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Calls all listeners, in the order in which they were added; no lock is held during the calls.
  @usableFromInline
  func tell(_ transition: Transition<Cause, State>) {
    for (_, hear) in table.withLock({ $0.listeners }) { hear(transition) }
  }
}

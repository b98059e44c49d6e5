import Synchronization

/// Where work waits until a test lets it through; the test waits until work has arrived.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var passing: [CheckedContinuation<Void, Never>] = []
    var watching: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let arrivals = Atomic(0)

  package init() {}

  /// How many have come to the gate so far.
  package var arrived: Int { arrivals.load(ordering: .acquiring) }

  /// Comes to the gate, and waits until it is let through.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let resumed = state.withLock { state in
        let arrived = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
        var resumed = state.watching.filter { $0.count <= arrived }.map(\.1)
        state.watching.removeAll { $0.count <= arrived }
        if state.isOpen {
          resumed.append(continuation)
        } else {
          state.passing.append(continuation)
        }
        return resumed
      }
      for waiter in resumed { waiter.resume() }
    }
  }

  /// Waits until so many have come to the gate.
  package func hasArrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if arrived < count { state.watching.append((count, continuation)) }
        return arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets everybody through from now on.
  package func open() {
    let resumed = state.withLock { state in
      state.isOpen = true
      defer { state.passing = [] }
      return state.passing
    }
    for waiter in resumed { waiter.resume() }
  }
}

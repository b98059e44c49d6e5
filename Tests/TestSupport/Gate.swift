import Synchronization

/// A gate at which work waits until a test opens it, and at which the test can wait for work to arrive.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var passing: [CheckedContinuation<Void, Never>] = []
    var watching: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let arrivals = Atomic(0)

  package init() {}

  /// The number of callers that have arrived at the gate.
  package var arrived: Int { arrivals.load(ordering: .acquiring) }

  /// Arrives at the gate and waits until the gate is open.
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

  /// Waits until `count` callers have arrived at the gate.
  package func hasArrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if arrived < count { state.watching.append((count, continuation)) }
        return arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Opens the gate for all waiting and all later callers.
  package func open() {
    let resumed = state.withLock { state in
      state.isOpen = true
      defer { state.passing = [] }
      return state.passing
    }
    for waiter in resumed { waiter.resume() }
  }
}

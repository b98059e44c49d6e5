internal import Synchronization

/// Lets one run at a time use actors that were created before the run, such as the shared instance of a global actor.
///
/// A run takes the turn before it uses such an actor, and passes the turn on when it ends.
///
/// Without the turn, the thread that empties an actor's queue could find tasks of two runs there. All such actors share one
/// turn, because with one turn for each actor, two runs could wait for each other.
///
/// A run never waits for a run around it or for one inside its scenario, because then neither run would end.
enum OthersActors {
  private struct Line {
    /// The run that has the turn.
    var holder: Explorer?
    /// The runs that wait, in the order in which they arrived.
    var waiting: [(run: Explorer, parked: Parked)] = []

    /// Gives the turn to the run that has waited longest.
    ///
    /// - Returns: The continuations of that run, and of the runs that are around it or inside its scenario and so must not wait
    ///   for it.
    mutating func next() -> [Parked] {
      let next = waiting.first?.run
      holder = next
      return remove { $0.isRelated(to: next) }
    }

    /// Removes runs from the line, and returns their continuations.
    mutating func remove(where isMeant: (Explorer) -> Bool) -> [Parked] {
      defer { waiting.removeAll { isMeant($0.run) } }
      return waiting.filter { isMeant($0.run) }.map(\.parked)
    }
  }

  private static let line = Mutex(Line())

  /// Waits until no other run has the turn, then takes it.
  ///
  /// Cancellation does not end the wait. The wait is endless only if the run that has the turn never ends, in which case the kit
  /// reports that run.
  ///
  /// - Returns: Whether the run has the turn; `false` if it would wait for a run around it or inside its scenario.
  static func takeTurn(for run: Explorer) async -> Bool {
    await withCheckedContinuation { continuation in
      let parked = Parked(continuation)
      let isDecided = line.withLock { line in
        guard let holder = line.holder else {
          line.holder = run
          return true
        }
        guard !run.isRelated(to: holder) else { return true }
        line.waiting.append((run, parked))
        return false
      }
      if isDecided { parked.resume() }
    }
    return line.withLock { $0.holder === run }
  }

  /// Passes the turn to the run that has waited longest, if the run that ends has the turn.
  ///
  /// A run that is abandoned while it waits leaves the line.
  static func leave(_ run: Explorer) {
    let resumed = line.withLock { line in
      let left = line.remove { $0 === run }
      return line.holder === run ? left + line.next() : left
    }
    for parked in resumed { parked.resume() }
  }
}

extension Explorer {
  /// Waits for the run's turn, which ``close()`` passes on.
  ///
  /// - Returns: Whether the run has the turn.
  func takeTurn() async -> Bool {
    let hasTurn = await OthersActors.takeTurn(for: self)
    state.withLock { $0.schedule.hasTurn = hasTurn }
    return hasTurn
  }

  /// Whether the runs are the same, or one is inside the scenario of the other.
  fileprivate func isRelated(to other: Explorer?) -> Bool {
    guard let other else { return false }
    return isInside(other) || other.isInside(self)
  }

  fileprivate func isInside(_ other: Explorer) -> Bool {
    sequence(first: self, next: \.outer).contains { $0 === other }
  }
}

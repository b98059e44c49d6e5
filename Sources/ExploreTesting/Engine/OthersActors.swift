internal import Synchronization

/// Lets one run at a time use actors that were created before the run, such as the shared instance of a global actor.
///
/// A run takes the turn before it uses such an actor, and passes the turn on when it ends.
///
/// Without the turn, the thread that empties an actor's queue could find tasks of two runs there. All such actors share one
/// turn, because with one turn for each actor, two runs could wait for each other.
enum OthersActors {
  private struct Line {
    var isTaken = false
    /// The runs that wait, in the order in which they arrived.
    var waiting: [Parked] = []
  }

  private static let line = Mutex(Line())

  /// Waits until no other run has the turn, then takes it.
  ///
  /// Cancellation does not end the wait. The wait is endless only if the run that has the turn never ends, and the kit reports
  /// that run.
  static func takeTurn() async {
    await withCheckedContinuation { continuation in
      let parked = Parked(continuation)
      let isFree = line.withLock { line in
        defer { line.isTaken = true }
        if line.isTaken { line.waiting.append(parked) }
        return !line.isTaken
      }
      if isFree { parked.resume() }
    }
  }

  /// Passes the turn to the run that has waited longest.
  static func giveTurn() {
    let next = line.withLock { line in
      line.isTaken = !line.waiting.isEmpty
      return line.isTaken ? line.waiting.removeFirst() : nil
    }
    next?.resume()
  }
}

extension Explorer {
  /// Waits for the run's turn, which ``close()`` passes on.
  func takeTurn() async {
    await OthersActors.takeTurn()
    state.withLock { $0.schedule.hasTurn = true }
  }
}

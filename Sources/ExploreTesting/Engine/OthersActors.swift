internal import Synchronization

/// Actors that were there before a run, as the instance of a global actor: one run of the process uses such actors at a
/// time.
///
/// At such an actor the tasks of two runs would wait in one queue, which one thread empties. One turn for all of them: with one
/// for each actor two runs could wait for each other.
enum OthersActors {
  private struct Line {
    var isTaken = false
    /// The runs that wait, in the order in which they came.
    var waiting: [Parked] = []
  }

  private static let line = Mutex(Line())

  /// Waits until no other run has the turn.
  ///
  /// A run that waits in vain is one whose predecessor does not end, and that one is told; so a cancellation is not looked at.
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

  /// Gives the turn to the run that has waited longest.
  static func giveTurn() {
    let next = line.withLock { line in
      line.isTaken = !line.waiting.isEmpty
      return line.isTaken ? line.waiting.removeFirst() : nil
    }
    next?.resume()
  }
}

extension Explorer {
  /// Waits for the run's turn, which ``close()`` gives back.
  func takeTurn() async {
    await OthersActors.takeTurn()
    state.withLock { $0.schedule.hasTurn = true }
  }
}

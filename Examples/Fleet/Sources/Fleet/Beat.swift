import AsyncKnot

/// A counter that changes periodically and whenever it is rung.
actor Beat: StateActor {
  let knot = Knot(0)

  func ring() { reduce { $0 += 1 } }

  /// Rings periodically until the task is cancelled.
  func run(every time: Duration) async {
    for await _ in AsyncInterval(every: time) { ring() }
  }
}

import AsyncKnot

/// Counts: something to look at now and then, and whenever somebody rings.
actor Beat: StateActor {
  let knot = Knot(0)

  func ring() { reduce { $0 += 1 } }

  /// Rings again and again, until the task is cancelled.
  func run(every time: Duration) async {
    for await _ in AsyncInterval(every: time) { ring() }
  }
}

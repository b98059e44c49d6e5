import AsyncKnot

/// A counter that changes at regular intervals and at each call to `ring()`.
actor Beat: StateActor {
  let knot = Knot(0)

  func ring() { reduce { $0 += 1 } }

  /// Rings at regular intervals until the task is cancelled.
  func run(every time: Duration) async {
    for await _ in AsyncInterval(every: time) { ring() }
  }
}

extension TestClock {
  /// Moves time on, and wakes each sleeping task at its deadline.
  ///
  /// With a count the call returns only when so many tasks sleep *again*, so give one for tasks that go back
  /// to sleep, such as an interval, and for no others. A task that sleeps once, as a debounced request, a retry
  /// or a timeout does, never sleeps again: wait for it with ``sleepers(atLeast:)``, advance without a count,
  /// and await what it does.
  /// ```swift
  /// await clock.advance(by: .seconds(3), sleepers: 1)  // an interval of one second ticks three times
  /// ```
  /// At each deadline on the way the clock stops until the tasks that it woke have run, so that an interval
  /// gets all its ticks. In an exploration it stops until nothing else is ready. Elsewhere tasks run on
  /// threads of their own, and it stops until `sleepers` tasks sleep again. With 0 it yields a number of
  /// times instead, and that may be too few on a busy machine. When the calling task is cancelled, the clock
  /// stops where it is.
  ///
  /// - Parameters:
  ///   - duration: How far to move; not negative.
  ///   - count: How many tasks must sleep before time moves, and again after each stop.
  public func advance(by duration: Duration, sleepers count: Int = 0) async {
    precondition(
      duration >= .zero, "advance(by:): time does not move back; got \(duration)")
    await advance(to: now.advanced(by: duration), sleepers: count)
  }

  /// Moves time to a moment, and wakes each sleeping task at its deadline, as `advance(by:sleepers:)` does.
  ///
  /// - Parameters:
  ///   - instant: The moment to move to; one that is over changes nothing.
  ///   - count: How many tasks must sleep before time moves, and again after each stop.
  public func advance(to instant: Instant, sleepers count: Int = 0) async {
    await advance(sleepers: count) { $0 <= instant }
    if !Task.isCancelled { move(to: instant) }
  }

  /// Moves time from deadline to deadline.
  private func advance(sleepers count: Int, while isDue: (Instant) -> Bool) async {
    await settle(count)
    while !Task.isCancelled, let deadline = nextDeadline, isDue(deadline) {
      move(to: deadline)
      await settle(count)
    }
  }

  /// Waits until the tasks that are awake sleep again, or can do nothing more.
  private func settle(_ count: Int) async {
    if count > 0 { await sleepers(atLeast: count) }
    if count == 0 || Explorer.current != nil { await untilIdleOrYields() }
  }

  /// Moves time from deadline to deadline until no task sleeps any more.
  ///
  /// It does not return while a task keeps going back to sleep. When the calling task is cancelled, the
  /// clock stops where it is.
  public func run() async { await advance(sleepers: 0) { _ in true } }
}

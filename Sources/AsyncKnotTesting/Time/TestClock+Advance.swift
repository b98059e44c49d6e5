extension TestClock {
  /// Moves time on, waking each sleeper at its deadline.
  ///
  /// ```swift
  /// await clock.advance(by: .seconds(3), sleepers: 1)   // an interval of one second ticks three times
  /// ```
  /// Time stops at each deadline on the way until those it woke are done, so that an interval gets
  /// all its ticks. Under an exploration "done" is exact: nothing else is ready. Elsewhere tasks
  /// run on threads of their own, and are done when as many tasks sleep as `sleepers` says. With 0, which
  /// suits tasks that do not go back to sleep, they get a number of yields, and that may be too few on a
  /// busy machine. A cancelled call returns where it is.
  ///
  /// - Parameters:
  ///   - duration: How far to move; must not be negative.
  ///   - count: How many tasks sleep before time moves, and again after each stop.
  public func advance(by duration: Duration, sleepers count: Int = 0) async {
    precondition(
      duration >= .zero, "advance(by:): time does not move back; got \(duration)")
    await advance(to: now.advanced(by: duration), sleepers: count)
  }

  /// Moves time to a moment, waking each sleeper at its deadline.
  ///
  /// - Parameters:
  ///   - instant: Where to move; a moment that is over changes nothing.
  ///   - count: How many tasks sleep before time moves, and again after each stop.
  public func advance(to instant: Instant, sleepers count: Int = 0) async {
    await settle(count)
    while !Task.isCancelled, let deadline = nextDeadline, deadline <= instant {
      move(to: deadline)
      await settle(count)
    }
    if !Task.isCancelled { move(to: instant) }
  }

  /// Waits until those who are awake have done what they can.
  private func settle(_ count: Int) async {
    if count > 0 { await sleepers(atLeast: count) }
    if count == 0 || Explorer.current != nil { await untilIdleOrYields() }
  }

  /// Moves time from deadline to deadline until nobody sleeps any more.
  ///
  /// It does not return while a task keeps going back to sleep.
  public func run() async {
    await untilIdleOrYields()
    while !Task.isCancelled, let deadline = nextDeadline {
      move(to: deadline)
      await untilIdleOrYields()
    }
  }
}

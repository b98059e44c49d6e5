extension TestClock {
  /// Moves time on, waking each sleeper at its deadline.
  ///
  /// Time stops at each deadline on the way until those it woke are done, so that an interval gets
  /// all its ticks. Under an exploration "done" is exact: nothing else is ready. Elsewhere tasks
  /// run on threads of their own, and get a number of yields to be done in.
  ///
  /// - Parameter duration: How far to move; must not be negative.
  public func advance(by duration: Duration) async {
    precondition(
      duration >= .zero, "advance(by:): time does not move back; got \(duration)")
    await advance(to: now.advanced(by: duration))
  }

  /// Moves time to a moment, waking each sleeper at its deadline.
  ///
  /// - Parameter instant: Where to move; a moment that is over changes nothing.
  public func advance(to instant: Instant) async {
    await untilIdle()
    while let deadline = nextDeadline, deadline <= instant {
      move(to: deadline)
      await untilIdle()
    }
    move(to: instant)
  }

  /// Moves time from deadline to deadline until nobody sleeps any more.
  ///
  /// It does not return while a task keeps going back to sleep.
  public func run() async {
    await untilIdle()
    while !Task.isCancelled, let deadline = nextDeadline {
      move(to: deadline)
      await untilIdle()
    }
  }
}

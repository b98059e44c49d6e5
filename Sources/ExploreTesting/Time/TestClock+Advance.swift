extension TestClock {
  /// Advances time and wakes each sleeping task at its deadline.
  ///
  /// With a count, the call returns only when that many tasks sleep *again*. So pass a count only for tasks that go back to
  /// sleep, such as an interval. A task that sleeps once, such as a debounced request, a retry or a timeout, never sleeps
  /// again: wait for it with ``sleepers(atLeast:)``, advance without a count, and then await its result.
  /// ```swift
  /// await clock.advance(by: .seconds(3), sleepers: 1)  // an interval of one second ticks three times
  /// ```
  /// At each deadline the clock pauses until the tasks that it woke have run, so that an interval gets all its ticks. In an
  /// exploration, it pauses until no job is ready. Outside an exploration, tasks run on other threads, and the clock pauses
  /// until `sleepers` tasks sleep again. With a count of 0, the call yields repeatedly instead, which may not be enough
  /// on a busy machine. If you cancel the calling task, the clock stays where it is.
  ///
  /// - Parameters:
  ///   - duration: How far to advance; not negative.
  ///   - count: How many tasks must sleep before time advances, and again after each pause.
  public func advance(by duration: Duration, sleepers count: Int = 0) async {
    precondition(
      duration >= .zero, "TestClock.advance(by:): needs a duration of at least 0; got \(duration)")
    await advance(to: now.advanced(by: duration), sleepers: count)
  }

  /// Advances time to a moment, and wakes each sleeping task at its deadline, like `advance(by:sleepers:)`.
  ///
  /// - Parameters:
  ///   - instant: The moment to advance to; a past moment has no effect.
  ///   - count: How many tasks must sleep before time advances, and again after each pause.
  public func advance(to instant: Instant, sleepers count: Int = 0) async {
    await advance(sleepers: count) { $0 <= instant }
    if !Task.isCancelled { move(to: instant) }
  }

  /// Advances time from deadline to deadline.
  private func advance(sleepers count: Int, while isDue: (Instant) -> Bool) async {
    await settle(count)
    while !Task.isCancelled, let deadline = nextDeadline, isDue(deadline) {
      move(to: deadline)
      await settle(count)
    }
  }

  /// Waits until the woken tasks sleep again, or have nothing left to do.
  private func settle(_ count: Int) async {
    if count > 0 { await sleepers(atLeast: count) }
    if count == 0 || Explorer.current != nil { await untilIdleOrYields() }
  }

  /// Advances time from deadline to deadline until no task is sleeping.
  ///
  /// The call does not return while a task keeps going back to sleep. If you cancel the calling task, the clock stays where it
  /// is.
  public func run() async { await advance(sleepers: 0) { _ in true } }
}

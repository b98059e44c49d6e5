internal import Synchronization

extension Explorer {
  /// Makes the run move this clock when nothing else is ready.
  func drive(_ clock: any DrivenClock) {
    state.withLock { state in
      if !state.clocks.contains(where: { $0 === clock }) { state.clocks.append(clock) }
    }
  }

  /// The time to the nearest deadline of all clocks; `nil` if no task sleeps.
  func timeToNextDeadline() -> Duration? {
    let (clocks, timer) = state.withLock { state in
      (state.clocks, state.timers.nextDeadline.map { $0 - state.timers.now })
    }
    return (clocks.compactMap(\.timeToNextDeadline) + [timer].compactMap(\.self)).min()
  }

  /// Moves all clocks, as real clocks move.
  func move(by step: Duration) {
    let clocks = state.withLock { state in
      moveStandardClocks(by: step, in: &state)
      return state.clocks
    }
    perform { for clock in clocks { clock.move(by: step) } }
  }

  private func moveStandardClocks(by step: Duration, in state: inout State) {
    for timer in state.timers.move(to: state.timers.now + step) {
      state.schedule.add(timer.job, ofSleeping: timer.task)
    }
    show(state.timers.now)
  }

  /// Lets deadlines come early in this run.
  func startHaste() { state.withLock { $0.haste = SeededGenerator(seed: seed) } }

  /// Has the nearest deadline come although jobs are ready, if it is a millisecond away at most and the seed says so: they
  /// are late by that, as on a busy machine.
  ///
  /// A clock of the test moves only when the test, or the lack of anything else, moves it. Each deadline that comes early
  /// makes the next one rarer, so that tasks that sleep again and again come to a moment at which nothing is ready.
  func takeEarlyDeadline(in state: inout State) {
    guard state.haste != nil, !state.schedule.isEmpty,
      let step = state.timers.nextDeadline.map({ $0 - state.timers.now }),
      step <= .milliseconds(1), state.haste?.index(below: state.rarity) == 0
    else { return }
    state.rarity += 1
    moveStandardClocks(by: step, in: &state)
  }

  /// Has the clocks of the standard library show a time.
  func show(_ now: Duration) { run.show(Self.start + now) }

  /// What the clocks of the standard library show at the start of each run.
  static let start = Duration.seconds(1_000_000)

  /// The date at which each run begins, in seconds since 1970: the beginning of 2026.
  static let date: Int64 = 1_767_225_600

  /// The random number that code of the run draws.
  ///
  /// It depends on the progress of the current task, and so most keep their values while the schedule is shortened.
  func draw(_ count: UInt64) -> UInt64 {
    let (key, step) = state.withLock { $0.schedule.progress }
    var generator = SeededGenerator(seed: ~seed ^ key &+ UInt64(step) &+ count << 32)
    return generator.next()
  }

  /// Takes note that the current task sleeps on a clock that the run moves.
  func noteSleep() {
    guard let recorder else { return }
    recorder.sleeps(state.withLock { max($0.schedule.currentTask, 0) }, for: nil)
  }

  /// Lets a job wait for the virtual time.
  func add(_ job: UnownedJob, after delay: Duration) {
    let sleepsElsewhere = state.withLock { state in
      guard !state.isClosed else { return !state.isAbandoned }
      let task = max(state.schedule.currentTask, 0)
      let delay = max(variesDurations ? drawn(delay, in: state.schedule) : delay, .zero)
      recorder?.sleeps(task, for: delay)
      state.schedule.countSleep()
      state.timers.insert((job, task), until: state.timers.now + delay)
      return false
    }
    guard sleepsElsewhere else { return }
    // The task outlives its run, and so it sleeps as it would without one.
    Task.detached {
      try? await Task.sleep(for: delay)
      globalConcurrentExecutor.enqueue(job)
    }
  }

  /// The length of a sleep of the current task.
  ///
  /// It depends on the progress of this task alone, so a sleep keeps its length while the schedule is shortened.
  private func drawn(_ delay: Duration, in schedule: Schedule) -> Duration {
    let (key, step) = schedule.progress
    var generator = SeededGenerator(seed: seed ^ key &+ UInt64(step))
    return delay * (1 << generator.index(below: 7)) / 8
  }

  /// Wakes all sleeping tasks, before the end of the run.
  func wakeSleepers() {
    let clocks = state.withLock { state in
      for timer in state.timers.removeAll() {
        state.schedule.add(timer.job, ofSleeping: timer.task)
      }
      return state.clocks
    }
    perform { for clock in clocks { clock.cancelSleepers() } }
  }
}

/// A clock that a run moves when nothing else is ready.
protocol DrivenClock: AnyObject, Sendable {
  /// The time until the first deadline; `nil` if no task sleeps.
  var timeToNextDeadline: Duration? { get }

  /// Moves time and resumes the tasks whose deadline is reached; it does not wait until they have run.
  func move(by duration: Duration)

  /// Has every sleeping task throw a `CancellationError`.
  func cancelSleepers()
}

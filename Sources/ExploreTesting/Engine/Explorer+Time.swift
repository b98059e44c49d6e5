internal import Synchronization

extension Explorer {
  /// Makes the run advance this clock whenever no job is ready.
  func drive(_ clock: any DrivenClock) {
    state.withLock { state in
      if !state.clocks.contains(where: { $0 === clock }) { state.clocks.append(clock) }
    }
  }

  /// The time to the nearest deadline of all clocks; `nil` if no task is sleeping.
  func timeToNextDeadline() -> Duration? {
    let (clocks, timer) = state.withLock { state in
      (state.clocks, state.timers.nextDeadline.map { $0 - state.timers.now })
    }
    return (clocks.compactMap(\.timeToNextDeadline) + [timer].compactMap(\.self)).min()
  }

  /// Advances all clocks by the same step.
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

  /// Allows deadlines to arrive early in this run.
  func startHaste() { state.withLock { $0.haste = SeededGenerator(seed: seed) } }

  /// Advances to the nearest deadline even though jobs are ready, if the deadline is at most a millisecond away and the seed says
  /// so.
  ///
  /// The ready jobs are then late, as on a busy machine.
  ///
  /// This applies only to the standard clocks. Each early deadline makes the next one less likely, so that tasks that sleep
  /// again and again still reach a moment at which no job is ready.
  func takeEarlyDeadline(in state: inout State) {
    guard state.haste != nil, !state.schedule.isEmpty,
      let step = state.timers.nextDeadline.map({ $0 - state.timers.now }),
      step <= .milliseconds(1), state.haste?.index(below: state.rarity) == 0
    else { return }
    state.rarity += 1
    moveStandardClocks(by: step, in: &state)
  }

  /// Sets the time that the standard clocks show.
  func show(_ now: Duration) { run.show(Self.start + now) }

  /// The time that the standard clocks show at the start of each run.
  static let start = Duration.seconds(1_000_000)

  /// The date at the start of each run, in seconds since 1970: January 1, 2026.
  static let date: Int64 = 1_767_225_600

  /// Draws a random number for the run's code.
  ///
  /// The number depends on the progress of the current task, so most numbers stay the same while the schedule is shortened.
  func draw(_ count: UInt64) -> UInt64 {
    let (key, step) = state.withLock { $0.schedule.progress }
    var generator = SeededGenerator(seed: ~seed ^ key &+ UInt64(step) &+ count << 32)
    return generator.next()
  }

  /// Records that the current task sleeps on a clock that the run advances.
  func noteSleep() {
    guard let recorder else { return }
    recorder.sleeps(state.withLock { max($0.schedule.currentTask, 0) }, for: nil)
  }

  /// Keeps the job of a sleeping task until the virtual time has advanced by a delay.
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
    // The task outlives its run, so it sleeps in real time, as it would outside an exploration.
    Task.detached {
      try? await Task.sleep(for: delay)
      globalConcurrentExecutor.enqueue(job)
    }
  }

  /// Draws how long the current task sleeps.
  ///
  /// The length depends only on the progress of this task, so it stays the same while the schedule is shortened.
  private func drawn(_ delay: Duration, in schedule: Schedule) -> Duration {
    let (key, step) = schedule.progress
    var generator = SeededGenerator(seed: seed ^ key &+ UInt64(step))
    return delay * (1 << generator.index(below: 7)) / 8
  }

  /// Wakes all sleeping tasks before the run ends.
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

/// A clock that a run advances when no job is ready.
protocol DrivenClock: AnyObject, Sendable {
  /// The time until the first deadline; `nil` if no task is sleeping.
  var timeToNextDeadline: Duration? { get }

  /// Advances time and resumes the tasks that are due, without waiting for them to run.
  func move(by duration: Duration)

  /// Makes every sleeping task throw a `CancellationError`.
  func cancelSleepers()
}

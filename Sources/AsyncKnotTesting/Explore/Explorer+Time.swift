internal import Synchronization

extension Explorer {
  /// Makes the run move this clock when nothing else is ready.
  func drive(_ clock: any DrivenClock) {
    state.withLock { state in
      if !state.clocks.contains(where: { $0 === clock }) { state.clocks.append(clock) }
    }
  }

  /// Moves all clocks by the time to the nearest deadline, as real clocks would.
  ///
  /// - Returns: `false` where nobody sleeps.
  func advanceTime() -> Bool {
    let (clocks, timer) = state.withLock { state in
      (state.clocks, state.timers.nextDeadline.map { $0 - state.timers.now })
    }
    guard let step = (clocks.compactMap(\.timeToNextDeadline) + [timer].compactMap(\.self)).min()
    else { return false }
    move(by: step)
    perform { for clock in clocks { clock.move(by: step) } }
    return true
  }

  /// Moves the clocks of the standard library.
  private func move(by step: Duration) {
    let now = state.withLock { state in
      for timer in state.timers.move(by: step) { state.schedule.add(timer) }
      return state.timers.now
    }
    show(now)
  }

  /// Has the clocks of the standard library show a time.
  func show(_ now: Duration) { run?.show(Self.start + now) }

  /// What the clocks of the standard library show at the start of each run.
  static let start = Duration.seconds(1_000_000)

  /// Lets a job wait for the virtual time.
  func add(_ job: UnownedJob, after delay: Duration) {
    let number = run == nil ? 0 : JobOrigin(of: job, .executor).taskNumber
    let isClosed = state.withLock { state in
      guard !state.isClosed else { return true }
      let task = state.schedule.adopt(number)
      recorder?.sleeps(task)
      let deadline = state.timers.now + max(delay, .zero)
      state.timers.insert(TimerQueue.Timer(job: job, deadline: deadline, task: task))
      return false
    }
    if isClosed { globalConcurrentExecutor.enqueue(job) }
  }

  /// Wakes whoever sleeps, before the end of the run.
  func wakeSleepers() {
    let clocks = state.withLock { state in
      for timer in state.timers.removeAll() { state.schedule.add(timer) }
      return state.clocks
    }
    perform { for clock in clocks { clock.cancelSleepers() } }
  }
}

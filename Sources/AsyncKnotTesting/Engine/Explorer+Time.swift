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
  /// - Returns: `false` if no task sleeps.
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

  /// Takes note that the current task sleeps on a clock that the run moves.
  func noteSleep() {
    guard let recorder else { return }
    recorder.sleeps(state.withLock { max($0.schedule.currentTask, 0) })
  }

  /// Lets a job wait for the virtual time.
  func add(_ job: UnownedJob, after delay: Duration) {
    let sleepsElsewhere = state.withLock { state in
      guard !state.isClosed else { return !state.isAbandoned }
      let task = max(state.schedule.currentTask, 0)
      recorder?.sleeps(task)
      let deadline = state.timers.now + max(delay, .zero)
      state.timers.insert(TimerQueue.Timer(job: job, deadline: deadline, task: task))
      return false
    }
    guard sleepsElsewhere else { return }
    // The task outlives its run, and so it sleeps as it would without one.
    Task.detached {
      try? await Task.sleep(for: delay)
      globalConcurrentExecutor.enqueue(job)
    }
  }

  /// Wakes all sleeping tasks, before the end of the run.
  func wakeSleepers() {
    let clocks = state.withLock { state in
      for timer in state.timers.removeAll() { state.schedule.add(timer) }
      return state.clocks
    }
    perform { for clock in clocks { clock.cancelSleepers() } }
  }
}

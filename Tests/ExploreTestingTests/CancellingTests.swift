/// Runs that are cancelled at each of their suspensions.
@Suite struct CancellingTests {
  @Test("X11: a scenario is cancelled on several schedules")
  func cancellingSchedules() async {
    let issues = await recordedIssues {
      await exploreCancelling(seeds: 20) {
        let account = Account()
        let first = Task { await account.withdraw(80) }
        let second = Task { await account.withdraw(80) }
        await first.value
        if Task.isCancelled { return }
        await second.value
        #expect(await account.balance >= 0 || !Task.isCancelled)
      }
    }
    #expect(issues.say("exploreCancelling: cancelled", "on the schedule of seed"))
  }

  @Test(
    "X11: a scenario is cancelled at each sleep and at each wait, and also runs without a cancellation"
  )
  func cancellingSleepers() async {
    let reached = Log<Int>()
    await exploreCancelling {
      var steps = 0
      for _ in 0..<3 {
        do { try await Task.sleep(for: .seconds(1)) } catch { break }
        steps += 1
        await untilIdle()
        if Task.isCancelled { break }
        steps += 1
      }
      reached.append(steps)
    }
    #expect(Set(reached.all) == Set(0...6))
  }

  @Test(
    "X9, X11: when the kit cancels a scenario, its cancellation handlers may reach preemption points"
  )
  func preemptionPoints() async {
    let handled = Counter()
    await exploreCancelling(seeds: 50) {
      let other = Task { for _ in 0..<4 { preemptionPoint() } }
      await withTaskCancellationHandler {
        for _ in 0..<4 { await Task.yield() }
      } onCancel: {
        for _ in 0..<4 { preemptionPoint() }
        handled.increment()
      }
      await other.value
    }
    #expect(handled.value > 50)
  }

  @Test("X11: a CancellationError that a cancelled scenario throws is not a failure")
  func cancellationError() async {
    let issues = await recordedIssues {
      let count = await exploreCancelling(seeds: 1) { try await Task.sleep(for: .seconds(1)) }
      #expect(count > 1)
    }
    #expect(issues.isEmpty)
  }

  @Test("X11, X5: a CancellationError that the scenario throws before it is cancelled is a failure")
  func ownCancellationError() async {
    let issues = await recordedIssues {
      await exploreCancelling(seeds: 1) {
        await Task.yield()
        let child = Task { try await Task.sleep(for: .seconds(1)) }
        child.cancel()
        try await child.value
      }
    }
    #expect(issues.say("before it was cancelled", "threw CancellationError"))
  }

  @Test("X11: a limit bounds the number of suspensions that are tried on each schedule")
  func cancellingLimit() async {
    let issues = await recordedIssues {
      let count = await exploreCancelling(seeds: 2, limit: 3) {
        for _ in 0..<10 { await Task.yield() }
      }
      #expect(count == 6)
    }
    #expect(
      issues.say(
        "exploreCancelling: some suspensions of 2 schedules were not tried",
        "the limit for each schedule is 3 suspensions"))
    await exploreCancelling(seeds: 2, limit: 30) { await Task.yield() }
  }

  @Test(
    "X11: a limit that equals the number of suspensions allows all of them, so nothing is reported")
  func cancellingExactLimit() async {
    let issues = await recordedIssues {
      let all = await exploreCancelling(seeds: 1) { await Task.yield() }
      let count = await exploreCancelling(seeds: 1, limit: all) { await Task.yield() }
      #expect(count == all)
    }
    #expect(issues.isEmpty)
  }

  @Test("X11: a scenario is cancelled at each of its suspensions in turn")
  func cancelling() async {
    let cancelled = Log<Int>()
    let count = await exploreCancelling {
      var steps = 0
      for _ in 0..<3 {
        await Task.yield()
        if !Task.isCancelled { steps += 1 }
      }
      cancelled.append(steps)
    }
    // The last run of each of the ten schedules is not cancelled, and does not count.
    #expect(count == cancelled.all.count - 10)
    #expect(Set(cancelled.all) == [0, 1, 2, 3])
    let issues = await recordedIssues {
      await exploreCancelling {
        await Task.yield()
        #expect(!Task.isCancelled)
      }
    }
    #expect(issues.say("exploreCancelling: cancelled before it began"))
  }

  @Test("X11: a stall that precedes the cancellation is not reported as one that follows it")
  func stallsUncancelled() async {
    let issues = await recordedIssues {
      await exploreCancelling {
        let (events, lines) = AsyncStream.makeStream(of: Void.self)
        for await _ in events {}
        withExtendedLifetime(lines) {}
      }
    }
    #expect(issues.say("before it was cancelled, the scenario stalled"))
  }

  @Test(
    "X6, X7, X11: the report of a cancelled run shows its steps and, in a stall, who waits")
  func cancellingReport() async {
    let failures = await recordedIssues {
      await exploreCancelling {
        guard !Task.isCancelled else { return }
        try? await Task.sleep(for: .seconds(1))
        #expect(!Task.isCancelled)
      }
    }
    #expect(failures.filter { $0.comments.isEmpty }.count == 1)
    #expect(failures.say("cancelled after job 1, the scenario recorded an issue", "scenario  ends"))
    let stalls = await recordedIssues {
      await exploreCancelling {
        await Task.yield()
        guard Task.isCancelled else { return }
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    }
    #expect(
      stalls.say("cancelled", "scenario was cancelled, but awaits a continuation", "Who waits"))
  }
}

@Suite struct ProbeTests {
  @Test("OR17: the probe sees every change that a request makes")
  func passes() async {
    await exploreContract(seeds: 200) {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1))
      await probe.expect { $0.done = [1] }
      probe.send(.init(id: 2, work: { throw Broken() }))
      let transition = await probe.expect { $0.failed = [2] }
      guard case .failure(_, is Broken) = transition?.cause else { throw Broken() }
      await probe.finish()
    }
  }

  @Test("F3: an issue that a handler records counts for the test that uses the probe")
  func issuesInHandlers() async {
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      for id in 1...3 {
        probe.send(
          .init(
            id: id,
            work: {
              if id == 1 { await Task.yield() }
              Issue.record("in the handler of \(id)")
            }))
      }
      for id in 1...3 { await probe.expect { $0.done.append(id) } }
      await probe.finish()
    }
    for id in 1...3 { #expect(issues.say("in the handler of \(id)")) }
  }

  @Test("OR17: the probe sees every change that a binder's command makes")
  func binder() async {
    let probe = BinderProbe(Counter())
    probe.send(.add(2))
    await probe.expect { $0.count = 2 }
    probe.send(.add(3))
    await probe.expect { $0.count = 5 }
    await probe.finish()
  }

  @Test("OR17: an assertion that differs from the change fails, and shows the difference")
  func differs() async {
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1))
      await probe.expect { $0.done = [2] }
      await probe.finish()
    }
    #expect(issues.count == 1)
    #expect(issues.say("done[0]: 2 → 1"))
  }

  /// An opticle whose state is never equal to itself.
  private actor Gauge: Opticle {
    struct State: Sendable, Equatable { var level = Double.nan, unit = "" }
    typealias Request = Work<Gauge>
    typealias Response = Change<State>
    let knot = Knot(State())
  }

  @Test("OR17: an assertion does not fail only because the state contains a NaN")
  func notANumber() async {
    let probe = OpticleProbe(Gauge())
    probe.send(Work { $0.commit { $0.unit = "m" } })
    await probe.expect { $0.unit = "m" }
    await probe.finish()
  }

  @Test("OR17: a change that is left unasserted fails the test, at the next send or at the end")
  func unasserted() async {
    // Each run reports only its first issue.
    for (sendsAgain, expected) in [
      (true, "not asserted before send("), (false, "before finish():"),
    ] {
      let issues = await recordedIssues {
        await explore(seeds: 1) {
          let probe = OpticleProbe(Worker())
          probe.send(.init(id: 1))
          await untilIdle()
          if sendsAgain { probe.send(.init(id: 2)) }
          await untilIdle()
          await probe.finish()
        }
      }
      #expect(issues.say(expected))
    }
  }

  @Test("OR17: if an expected change does not arrive, the test fails instead of waiting forever")
  func missing() async {
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1))
      await probe.expect { $0.done = [1] }
      await probe.expect { $0.done = [1, 2] }
      await probe.finish()
    }
    #expect(issues.count == 1)
    #expect(issues.say("expected a change"))
  }

  @Test("OR17: a probe is notified when all messages have ended, even if they change nothing")
  func settled() async {
    for policy in [
      DispatchPolicy.concurrent, .serial("a"), .latest("a"), .debounced("a", for: .seconds(1)),
    ] {
      await exploreContract(seeds: 1_000) {
        let worker = Worker(clock: TestClock())
        let port = worker.probePort
        for id in 1...2 { worker.send(id, policy) { throw CancellationError() } }
        // The first message can end before the second is sent, so a `nil` counts only if nothing is in flight.
        for await change in port.changes {
          if change == nil, port.unfinishedCount == 0 { break }
        }
        try hold(worker.ended.all.contains(2), "ended \(worker.ended.all)")
      }
    }
  }

  @Test(
    "OR17: finish() fails if a message still runs, is queued or waits for a quiet period"
  )
  func inFlight() async {
    for policy in [
      DispatchPolicy.concurrent, .serial("a"), .debounced("a", for: .seconds(60)),
    ] {
      let gate = Gate()
      let issues = await recordedIssues {
        let probe = OpticleProbe(Worker())
        for id in 1...2 { probe.send(.init(id: id, policy: policy, work: { await gate.wait() })) }
        await probe.finish()
      }
      // The probe has been released, so the changes that follow are not reported.
      gate.open()
      #expect(issues.say("still in flight"), "\(policy)")
      #expect(issues.count == 1, "\(policy): not reported again when the probe is released")
    }
  }

  @Test("OR17: finish() reports even a message that was sent after an earlier finish()")
  func inFlightAgain() async {
    let (first, second) = (Gate(), Gate())
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1, work: { await first.wait() }))
      await probe.finish()
      first.open()
      await probe.expect { $0.done = [1] }
      probe.send(.init(id: 2, work: { await second.wait() }))
      await probe.finish()
    }
    second.open()
    #expect(issues.count == 2, "\(issues)")
    #expect(issues.allSatisfy { [$0].say("1 message is still in flight") })
  }

  @Test("OR17: the closure of expect may send, which reports an unasserted change as usual")
  func reentrant() async {
    let gate = Gate()
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      // Neither message can end before both are sent; otherwise the second send would report the first change.
      for id in 1...2 {
        probe.send(.init(id: id, policy: .serial("a"), work: { await gate.wait() }))
      }
      gate.open()
      while probe.subject.ended.all.count < 2 { await Task.yield() }
      await probe.expect {
        $0.done = [1]
        probe.send(.init(id: 3))
      }
      await probe.expect { $0.done.append(3) }
      await probe.finish()
    }
    #expect(issues.count == 1)
    #expect(issues.say("not asserted before send("))
  }

  @Test("OR17: a probe that is dropped without finish() also reports an unasserted change")
  func dropped() async {
    let issues = await recordedIssues {
      await explore(seeds: 1) {
        let probe = OpticleProbe(Worker())
        probe.send(.init(id: 1))
        await untilIdle()
      }
    }
    #expect(issues.say("not asserted before the probe was released"))
  }

  @Test("OR17: after an assertion that fails, the next assertion starts from the actual state")
  func differsOnce() async {
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1))
      await probe.expect { $0.done = [9] }
      probe.send(.init(id: 2))
      await probe.expect { $0.done.append(2) }
      await probe.finish()
    }
    #expect(issues.count == 1)
    #expect(issues.say("done[0]: 9 → 1"))
  }

  @Test(
    "OR17: after a change that was not asserted, the next assertion starts from the actual state")
  func unassertedOnce() async {
    let issues = await recordedIssues {
      let probe = OpticleProbe(Worker())
      probe.send(.init(id: 1))
      while probe.subject.ended.all.isEmpty { await Task.yield() }
      probe.send(.init(id: 2))
      await probe.expect { $0.done.append(2) }
      await probe.finish()
    }
    #expect(issues.count == 1)
    #expect(issues.say("not asserted before send("))
  }

  @Test("OR17: a probe that is dropped reports the message in flight, but no message that ended")
  func droppedInFlight() async {
    let gate = Gate()
    let issues = await recordedIssues {
      do {
        let probe = OpticleProbe(Worker())
        probe.send(.init(id: 1))
        await probe.expect { $0.done = [1] }
        await probe.finish()
        probe.send(.init(id: 2, work: { await gate.wait() }))
      }
      gate.open()
    }
    #expect(issues.count == 1)
    #expect(issues.say("1 message is still in flight; the test sent Request(id: 2"))
  }

  @Test("OR17: an assertion whose task is cancelled records no issue of its own")
  func cancelled() async {
    let issues = await recordedIssues {
      let task = Task {
        let probe = OpticleProbe(Worker())
        withUnsafeCurrentTask { $0?.cancel() }
        await probe.expect { $0.done = [1] }
      }
      await task.value
    }
    #expect(issues.isEmpty)
  }

  @Test("OR17: the probe waits for a change that the subject makes without a message")
  func ownChange() async {
    await explore(seeds: 100) {
      let worker = Worker()
      let probe = OpticleProbe(worker)
      let change = Task { await worker.dispatch(.init(id: 1)) }
      await probe.expect { $0.done = [1] }
      await change.value
      await probe.finish()
    }
  }
}

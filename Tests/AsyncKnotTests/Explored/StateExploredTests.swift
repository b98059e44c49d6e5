/// The contracts of the state holders, over thousands of schedules each.
@Suite struct StateExploredTests {
  @Test("S1: concurrent reductions do not lose updates")
  func atomic() async {
    await exploreContract(every: .scheduleWithPreemptions(2), KnotCounter.losesNoUpdate)
  }

  @Test("S1, K10: a pipe, a consume loop and concurrent reductions do not lose updates")
  func atomicPipes() async {
    await exploreContract(every: .scheduleWithPreemptions(1)) {
      let node = KnotCounter()
      let channel = EventChannel<Int>()
      await withDiscardingTaskGroup { group in
        for subscription in [channel.subscribe(), channel.subscribe()] {
          group.addTask { await subscription.pipe(to: node) { $1.value += $0 } }
        }
        group.addTask {
          for _ in 0..<2 { channel.send(1) }
          await node.add(1)
          channel.finish()
        }
        group.addTask { await node.add(1) }
      }
      try hold(node.current == 6, "6 additions gave \(node.current)")
    }
  }

  @Test("S2, S3, S5, S6: every observer of one sequence sees states in order up to the last")
  func lastState() async {
    await exploreContract(
      every: .scheduleWithPreemptions(1), KnotCounter.showsEveryObserverTheLastState)
  }

  @Test("S7: a buffering observer misses no state")
  func buffered() async {
    await exploreContract(every: .schedule) {
      let node = KnotCounter()
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          var last: Int?
          for await count in node.states(buffering: .unbounded) {
            if let last { try hold(count.value == last + 1, "\(count.value) followed \(last)") }
            last = count.value
            if last == 4 { return }
          }
        }
        for _ in 0..<2 { group.addTask { for _ in 0..<2 { await node.add(1) } } }
      }
      try hold(node.observers == 0, "\(node.observers) observers stayed registered")
    }
  }

  @Test("S8: a cancelled observer ends promptly and leaves nothing registered")
  func cancelled() async {
    await exploreContract(every: .schedule, KnotCounter.forgetsCancelledObservers)
  }

  @Test("S8: a wait ends even if it is cancelled or woken before it is registered or suspended")
  func cancelledBeforeTheWait() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let (node, channel) = (KnotCounter(), EventChannel<Int>())
      let events = channel.subscribe()
      let readers = [
        Task(executorPreference: Exploration.executor) { for await _ in node.states {} },
        Task(executorPreference: Exploration.executor) { for await _ in events {} },
      ]
      let canceller = Task(executorPreference: Exploration.executor) {
        for reader in readers { reader.cancel() }
      }
      await node.add(1)
      channel.send(1)
      for reader in readers { await reader.value }
      await canceller.value
      try hold(node.observers == 0, "\(node.observers) observers stayed registered")
      try hold(channel.waitingCount == 0, "\(channel.waitingCount) readers stayed registered")
    }
  }

  @Test("S8, X11: an observer that is cancelled at any suspension leaves nothing registered")
  func cancelledAnywhere() async {
    let moments = await exploreCancelling {
      let node = KnotCounter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for await count in node.states where count.value == 2 { return } }
        }
        for _ in 0..<2 { group.addTask { await node.add(1) } }
      }
      try hold(node.observers == 0, "\(node.observers) observers stayed registered")
    }
    #expect(moments > 8)
  }

  @Test("S8: when the holder is released, observers get the last state, then nil")
  func ended() async {
    await exploreContract(every: .scheduleWithPreemptions(1), KnotCounter.endsWithTheLastState)
  }

  @Test("S13, K5: a pipe in a holder's bag does not keep the holder alive, and ends with it")
  func lifetime() async {
    await exploreContract(every: .schedule) {
      let channel = EventChannel<Int>()
      let probe: LifetimeProbe
      do {
        let node = KnotCounter()
        probe = LifetimeProbe(node)
        channel.subscribe().pipe(to: node, in: node.knot.bag) { $1.value += $0 }
        await withDiscardingTaskGroup { group in
          group.addTask { for _ in 0..<2 { channel.send(1) } }
          group.addTask { await node.add(1) }
        }
      }
      await untilIdle()
      try hold(probe.isReleased, "the holder is still alive")
      try hold(channel.subscriberCount == 0, "the pipe stayed subscribed")
    }
  }

  @Test("S15: a handler runs within the turn of each reduction, in order, until it is cancelled")
  func observed() async {
    await exploreContract(every: .schedule) {
      let node = KnotCounter()
      let (log, bag) = (Log<Int>(), TaskBag())
      let entry = await node.observe(in: bag) { node, count in
        log.append(count.value == node.current ? count.value : -1)
      }
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { for _ in 0..<2 { await node.add(1) } } }
      }
      try hold(log.all == [1, 2, 3, 4], "the handler saw \(log.all)")
      entry.cancel()
      await node.add(1)
      try hold(log.all.count == 4, "the handler ran after its end")
    }
  }
}

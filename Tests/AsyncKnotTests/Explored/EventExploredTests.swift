/// The contracts of channels, `AsyncInterval` and `withLatest`, explored.
@Suite struct EventExploredTests {
  @Test(
    "E1: all subscribers get all events in the same order, and each sender's events stay in order")
  func channel() async {
    await exploreContract(every: .scheduleWithPreemptions(0)) {
      let channel = EventChannel<Int>()
      let subscriptions = [channel.subscribe(), channel.subscribe()]
      let received = try await withThrowingTaskGroup(of: [Int].self) { group in
        for subscription in subscriptions {
          group.addTask { await subscription.reduce(into: []) { $0.append($1) } }
        }
        group.addTask {
          await withDiscardingTaskGroup { senders in
            for sender in 0..<2 {
              senders.addTask {
                for step in 0..<2 {
                  channel.send(sender * 2 + step)
                  await Task.yield()
                }
              }
            }
          }
          channel.finish()
          return []
        }
        return try await group.reduce(into: [[Int]]()) { if !$1.isEmpty { $0.append($1) } }
      }
      try hold(received.count == 2 && received[0] == received[1], "\(received)")
      let senders = received[0].reduce(into: [[Int](), []]) { $0[$1 / 2].append($1) }
      try hold(senders == [[0, 1], [2, 3]], "\(received)")
    }
  }

  @Test(
    "E1: a cancelled subscriber leaves nothing behind, and does not take events from the others")
  func cancelledSubscriber() async {
    await exploreContract(every: .schedule) {
      let channel = EventChannel<Int>()
      let kept = channel.subscribe()
      await withTaskGroup { group in
        group.addTask { [subscription = channel.subscribe()] in for await _ in subscription {} }
        group.addTask { for event in 0..<2 { channel.send(event) } }
        await group.next()
        group.cancelAll()
      }
      try hold(channel.subscriberCount == 1, "\(channel.subscriberCount) subscribers")
      channel.finish()
      var received: [Int] = []
      for await event in kept { received.append(event) }
      try hold(received == [0, 1], "received \(received)")
    }
  }

  @Test("Each event is paired with the newest element of the other sequence by withLatest")
  func withLatest() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let node = KnotCounter()
      let channel = EventChannel<Int>()
      let pairs = Log<(Int, Int)>()
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { [subscription = channel.subscribe()] in
          for await (event, count) in subscription.withLatest(from: node.states) {
            pairs.append((event, count.value))
          }
        }
        group.addTask {
          await untilIdle()
          for event in 1...3 {
            await node.add(1)
            await untilIdle()
            channel.send(event)
            await untilIdle()
          }
          channel.finish()
        }
      }
      let all = pairs.all
      try hold(all.map(\.0) == [1, 2, 3] && all.map(\.1) == [1, 2, 3], "\(all)")
      await untilIdle()
      try hold(node.observers == 0, "\(node.observers) observers stayed registered")
    }
  }

  @Test("Each tick of an AsyncInterval arrives on time, even while another interval ticks")
  func interval() async {
    await exploreContract(every: .schedule) {
      let clock = TestClock()
      try await withThrowingDiscardingTaskGroup { group in
        for every in [20, 30] {
          group.addTask {
            let interval = AsyncInterval(
              every: .milliseconds(every), after: .milliseconds(10), clock: clock)
            for await tick in interval {
              let due = Duration.milliseconds(10 + tick * every)
              try hold(clock.now.offset == due, "tick \(tick) of \(every) at \(clock.now.offset)")
              if tick == 2 { break }
            }
          }
        }
      }
      try hold(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers stayed")
    }
  }

  @Test("E1: a subscription that begins during or after finish() also ends")
  func subscribesLate() async {
    await exploreContract(every: .scheduleWithPreemptions(1)) {
      let channel = EventChannel<Int>()
      let reader = Task(executorPreference: Exploration.executor) {
        for await _ in channel.subscribe() {}
      }
      let ender = Task(executorPreference: Exploration.executor) { channel.finish() }
      await ender.value
      await reader.value
    }
  }
}

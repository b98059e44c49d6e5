@testable import AsyncOptical

/// A sequence that is sent to a binder until either of them ends.
@Suite struct SendToTests {
  @Test("S13, S16: a task that sends to a binder ends as soon as the binder is released")
  func endsWithTheReceiver() async {
    await exploreContract(seeds: 1_000) {
      let (taps, bag) = (EventChannel<Int>(), TaskBag())
      do {
        let counter = Counter()
        taps.subscribe().map { .add($0) }.send(to: counter, in: bag)
        for tap in 1...3 { taps.send(tap) }
        await untilIdle()
        try hold(counter.state.count == 6, "\(counter.state)")
      }
      await bag.wait()
    }
  }

  @Test("S21: after code on the binder has cancelled a task, the task sends nothing more")
  func cancelledOnTheBinder() async {
    await exploreContract(seeds: 1_000) {
      let (taps, bag, counter) = (EventChannel<Int>(), TaskBag(), Counter())
      taps.subscribe().map { .add($0) }.send(to: counter, in: bag)
      Task(executorPreference: Exploration.executor) {
        for _ in 1...3 {
          taps.send(1)
          await Task.yield()
        }
      }
      for _ in 0..<3 { await Task.yield() }
      let sent = await counter.cancel(bag)
      await untilIdle()
      try hold(counter.state.count == sent, "\(sent) sent, then \(counter.state)")
    }
  }

  @Test(
    "S13: an event that arrives after a task's binder is released is sent by the subscription's next task"
  )
  func nothingIsLost() async {
    await exploreContract(seeds: 1_000) {
      let taps = EventChannel<Counter.Command>()
      let (shared, bag, other) = (taps.subscribe(), TaskBag(), Counter())
      var gone: Counter? = Counter()
      if let gone { shared.send(to: gone, in: bag) }
      await Task.yield()
      gone = nil
      taps.send(.add(1))
      shared.send(to: other, in: bag)
      taps.finish()
      await bag.wait()
      await untilIdle()
      try hold(other.state.count == 1, "the event was lost")
    }
  }
}

extension Counter {
  /// Cancels a bag, and returns the number of messages sent so far.
  fileprivate func cancel(_ bag: TaskBag) -> Int {
    bag.cancel()
    return state.count + desk.unfinishedCount
  }
}

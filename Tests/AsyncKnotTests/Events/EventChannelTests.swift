import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct EventChannelTests {
  @Test(
    "E1: a subscriber gets the events sent between subscribe() and finish(), in order, without replay"
  )
  func ordered() async {
    let channel = EventChannel<Int>()
    channel.send(0)
    let first = channel.subscribe()
    channel.send(1)
    let second = channel.subscribe()
    channel.send(2)
    channel.finish()
    channel.send(3)
    #expect(await first.collect() == [1, 2])
    #expect(await second.collect() == [2])
    #expect(await channel.subscribe().collect().isEmpty)
  }

  @Test("E1: send() takes no argument if the events are Void")
  func valueless() async {
    let taps = EventChannel<Void>()
    let subscription = taps.subscribe()
    taps.send()
    taps.send()
    taps.finish()
    #expect(await subscription.collect().count == 2)
  }

  @Test("E1: bounded policies keep the newest or the oldest events, and count the dropped ones")
  func bounded() async {
    let channel = EventChannel<Int>()
    let newest = channel.subscribe(buffering: .bufferingNewest(2))
    let oldest = channel.subscribe(buffering: .bufferingOldest(2))
    for event in 1...5 { channel.send(event) }
    channel.finish()
    #expect(newest.droppedCount == 3)
    #expect(oldest.droppedCount == 3)
    #expect(await newest.collect() == [4, 5])
    #expect(await oldest.collect() == [1, 2])
  }

  @Test(
    "E1: an event wakes a suspended subscriber, and a cancelled subscriber leaves nothing behind"
  )
  func wakesAndForgets() async {
    let channel = EventChannel<Int>()
    let recorder = Recorder(channel.subscribe())
    for event in 0..<100 {
      channel.send(event)
      await recorder.wait(for: event + 1)
    }
    recorder.cancel()
    #expect(await recorder.waitForEnd() == Array(0..<100))
    await waitWhile(channel.subscriberCount > 0)
  }

  @Test("E1: the deinit of an event that a buffer drops may use the channel")
  func droppedEventsMayUseTheChannel() {
    final class Noisy: Sendable {
      let channel: EventChannel<Noisy?>
      init(_ channel: EventChannel<Noisy?>) { self.channel = channel }
      deinit { channel.send(nil) }
    }
    let channel = EventChannel<Noisy?>()
    let subscription = channel.subscribe(buffering: .bufferingNewest(1))
    channel.send(Noisy(channel))
    channel.send(Noisy(channel))
    #expect(subscription.droppedCount >= 1)
  }

  @Test("Subscribing without buffer space traps with a message that names the call and the value")
  func noRoom() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = EventChannel<Int>().subscribe(buffering: .bufferingOldest(0))
    }
    #expect(result.says("subscribe(buffering:): needs room for at least 1 event; got 0"))
  }

  // An exploration cannot test this, because no other task can run while one `send` delivers its event to the subscribers.
  @Test("E1: when two threads send, all subscribers get all events in the same order")
  func oneOrderOnThreads() async {
    let channel = EventChannel<Int>()
    let subscriptions = [channel.subscribe(), channel.subscribe()]
    await withDiscardingTaskGroup { group in
      for sender in 0..<2 {
        group.addTask { for step in 0..<20_000 { channel.send(step * 2 + sender) } }
      }
    }
    let received = subscriptions.map { subscription in
      var all: [Int] = []
      while let event = subscription.takeBuffered() { all.append(event) }
      return all
    }
    let difference = zip(received[0], received[1]).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(received[0].count == 40_000 && received[1].count == 40_000)
    #expect(difference == nil, "the orders differ at this index")
    // Each sender's own events keep their order.
    for sender in 0..<2 {
      let own = received[0].filter { $0 % 2 == sender }
      #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("E1: all subscribers get an event that is sent during finish(), or none of them does")
  func sentDuringFinish() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let channel = EventChannel<Int>()
      let subscriptions = (0..<2).map { _ in channel.subscribe() }
      let sender = Task(executorPreference: Exploration.executor) { channel.send(1) }
      let ender = Task(executorPreference: Exploration.executor) { channel.finish() }
      await sender.value
      await ender.value
      var received: [[Int]] = []
      for subscription in subscriptions {
        received.append(await subscription.reduce(into: []) { $0.append($1) })
      }
      try hold(received[0] == received[1], "received \(received)")
    }
  }
}

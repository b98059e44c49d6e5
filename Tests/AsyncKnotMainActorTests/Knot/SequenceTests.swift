import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct SequenceTests {
  @Test("Every buffering policy gives what it keeps; without one, the current state and the newest")
  func buffering() async {
    let view = ProfileView()
    var states = view.states.makeAsyncIterator()
    #expect(await states.next()?.count == 0)
    var all = view.states(buffering: .unbounded).makeAsyncIterator()
    var newest = view.states(buffering: .bufferingNewest(1)).makeAsyncIterator()
    var oldest = view.states(buffering: .bufferingOldest(1)).makeAsyncIterator()
    for count in 1...3 { view.reduce { $0.count = count } }
    #expect(await states.next()?.count == 3)
    for count in 0...3 { #expect(await all.next()?.count == count) }
    #expect(await newest.next()?.count == 3)
    #expect(await oldest.next()?.count == 0)
    #expect(await oldest.next()?.count == 3)
  }

  @Test("One property without repeats, and the standard stream")
  func statesOfAndStream() async {
    let node = ProfileNode()
    var titles = node.states(of: \.title).makeAsyncIterator()
    var stream = node.stateStream(buffering: .unbounded).makeAsyncIterator()
    #expect(await titles.next() == "-")
    await node.reduce { $0.count = 1 }
    await node.reduce { $0.title = "b" }
    #expect(await titles.next() == "b")
    #expect(await stream.next()?.count == 0)
    #expect(await stream.next()?.count == 1)
    #expect(await stream.next()?.title == "b")
  }

  @Test("An event channel delivers what is sent after subscribe, then ends")
  func events() async {
    let channel = EventChannel<String>()
    channel.send("before")
    let subscription = channel.subscribe()
    let bounded = channel.subscribe(buffering: .bufferingNewest(1))
    channel.send("a")
    channel.send("b")
    channel.finish()
    var events: [String] = []
    for await event in subscription { events.append(event) }
    #expect(events == ["a", "b"])
    #expect(bounded.droppedCount == 1)
  }

  @Test("An interval ticks on an injected clock")
  func interval() async {
    let clock = TestClock()
    let view = ProfileView()
    let ticks = AsyncInterval(every: .seconds(1), after: .seconds(5), clock: clock)
    ticks.pipe(to: view, in: view.bag) { tick, state in state.count = tick + 1 }
    let recorder = Recorder(view.states(of: \.count))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    await recorder.wait { $0.last == 1 }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await recorder.wait { $0.last == 2 }
    view.bag.cancel()
    #expect(view.bag.isEmpty)
  }
}

import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct SequenceTests {
  @Test(
    "An observer gets the states that its buffering policy keeps or, without a policy, the newest state"
  )
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

  @Test(
    "values(of:) skips states with an unchanged title, and an unbounded stateStream delivers every state"
  )
  func statesOfAndStream() async {
    let node = ProfileNode()
    var titles = node.values(of: \.title).makeAsyncIterator()
    var stream = node.stateStream(buffering: .unbounded).makeAsyncIterator()
    #expect(await titles.next(isolation: #isolation) == "-")
    await node.reduce { $0.count = 1 }
    await node.reduce { $0.title = "b" }
    #expect(await titles.next(isolation: #isolation) == "b")
    #expect(await stream.next()?.count == 0)
    #expect(await stream.next()?.count == 1)
    #expect(await stream.next()?.title == "b")
  }
}

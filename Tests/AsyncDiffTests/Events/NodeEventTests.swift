import AsyncDiff
import AsyncKnotTesting
import Testing

@Suite struct NodeEventTests {
  let channel = NodeEventChannel()

  @Test("A23: each listener gets the events of its type of model, in order")
  func typedEvents() async {
    let articles = Recorder(channel.events(of: Article.self))
    let polls = Recorder(channel.events(of: Poll.self))
    let all = Recorder(channel.events(of: AnyNodable.self))
    channel.send(.didSelect, from: Article(1), at: at(0, 0))
    channel.send(.didHighlight, from: Poll(id: 1), at: at(0, 1))
    channel.send(.endDisplay, from: AnyNodable(Article(2)), at: at(0, 2))
    await articles.wait(for: 2)
    await polls.wait(for: 1)
    await all.wait(for: 3)
    #expect(articles.elements.map(\.model.id) == [1, 2])
    #expect(articles.elements.map(\.action) == [.didSelect, .endDisplay])
    #expect(articles.elements.map(\.path) == [at(0, 0), at(0, 2)])
    #expect(polls.elements.map(\.action) == [.didHighlight])
    #expect(all.elements.map(\.action) == [.didSelect, .didHighlight, .endDisplay])
  }

  @Test("D11: a subscription starts when it is made, and each has its own")
  func subscriptions() async {
    let early = channel.events(of: Article.self)
    channel.send(NodeEvent(model: Article(1), action: .didSelect, path: at(0, 0)))
    let late = channel.events(of: Article.self)
    channel.send(NodeEvent(model: Article(2), action: .cancel, path: at(0, 1)))
    var earlyEvents = early.makeAsyncIterator()
    var lateEvents = late.makeAsyncIterator()
    #expect(await earlyEvents.next()?.model.id == 1)
    #expect(await earlyEvents.next()?.model.id == 2)
    #expect(await lateEvents.next()?.model.id == 2)
  }

  @Test("A20: a node's own action carries a payload of its own type")
  func payload() {
    struct Vote: Hashable { let choice: Int }
    let action = NodeEvent.Action.ok(info: Vote(choice: 2))
    #expect(action.payload(as: Vote.self) == Vote(choice: 2))
    #expect(action.payload(as: String.self) == nil)
    #expect(NodeEvent.Action.cancel.payload(as: Vote.self) == nil)
    #expect(action == .ok(info: Vote(choice: 2)))
    #expect(action != .ok(info: Vote(choice: 3)))
    #expect(action != .ok(info: 2))
    #expect(action != .ok())
    #expect(NodeEvent.Action.ok() == .ok(info: nil))
    #expect(NodeEvent.Action.ok().payload(as: Vote.self) == nil)
    #expect(action != .cancel)
    #expect(NodeEvent.Action.ok(info: ["a": 1]) == .ok(info: ["a": 1]))
  }

  @Test("A22: an event is made from a model, and tells only of models of its type")
  func conversions() {
    let event = NodeEvent(model: Article(1), action: .didSelect, path: at(0, 0))
    #expect(GenericNodeEvent<Article>(event)?.model == Article(1))
    #expect(GenericNodeEvent<Poll>(event) == nil)
    #expect(GenericNodeEvent<AnyNodable>(event)?.model == AnyNodable(Article(1)))
  }
}

@Suite struct NodeEventTests {
  let channel = NodeEventChannel()

  @Test("A23: each subscriber gets the events of its model type, in order")
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

  @Test("D11: each subscription starts when it is created and receives all later events")
  func subscriptions() async {
    let early = channel.events(of: Article.self)
    channel.send(.didSelect, from: Article(1), at: at(0, 0))
    let late = channel.events(of: Article.self)
    channel.send(.cancel, from: Article(2), at: at(0, 1))
    var earlyEvents = early.makeAsyncIterator()
    var lateEvents = late.makeAsyncIterator()
    #expect(await earlyEvents.next()?.model.id == 1)
    #expect(await earlyEvents.next()?.model.id == 2)
    #expect(await lateEvents.next()?.model.id == 2)
  }

  @Test("A20: a cell's own action carries a payload of any type")
  func payload() {
    struct Vote: Hashable { let choice: Int }
    let action = NodeAction.ok(info: Vote(choice: 2))
    #expect(action.payload(as: Vote.self) == Vote(choice: 2))
    #expect(action.payload(as: String.self) == nil)
    #expect(NodeAction.cancel.payload(as: Vote.self) == nil)
    #expect(action == .ok(info: Vote(choice: 2)))
    #expect(action != .ok(info: Vote(choice: 3)))
    #expect(action != .ok(info: 2))
    #expect(action != .ok())
    #expect(NodeAction.ok() == .ok(info: nil))
    #expect(NodeAction.ok().payload(as: Vote.self) == nil)
    #expect(action != .cancel)
    #expect(NodeAction.ok(info: ["a": 1]) == .ok(info: ["a": 1]))
  }

  @Test("A22: models of any type can send events, even without a cell")
  func plain() async {
    struct Line: Diffable, Equatable, Identifiable { let id: String }
    var lines = channel.events(of: Line.self).makeAsyncIterator()
    var nodes = channel.events(of: AnyNodable.self).makeAsyncIterator()
    channel.send(.didSelect, from: Line(id: "a"), at: at(0, 0))
    channel.send(.didSelect, from: Article(1), at: at(0, 1))
    let expected = NodeEvent(model: Line(id: "a"), action: .didSelect, path: at(0, 0))
    #expect(await lines.next() == expected)
    #expect(await nodes.next()?.model == AnyNodable(Article(1)))
  }
}

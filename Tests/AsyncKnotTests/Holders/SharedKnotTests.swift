/// A view with a subclass.
///
/// `bump()` calls `reduce` as `BaseView`, even on a `DerivedView`.
@MainActor
private class BaseView: KnotableView {
  nonisolated let knot = Knot<OuterState>()
  var drawn: [Int] = []

  func update(_ state: OuterState) { drawn.append(state.count) }
  func bump() { reduce { $0.count += 1 } }
}

@MainActor
private final class DerivedView: BaseView {
  let name = "derived"
}

/// A node that writes another node's knot.
private actor Parasite: Knotable {
  let host: Node
  nonisolated var knot: Knot<Node.State> { host.knot }
  init(on host: Node) { self.host = host }
  func update(_ state: Node.State) {}
}

/// A holder without hooks that writes a node's knot.
private actor PlainParasite: StateActor {
  let host: Node
  nonisolated var knot: Knot<Node.State> { host.knot }
  init(on host: Node) { self.host = host }
}

/// A holder without hooks whose knot is a computed property.
private actor Keeper: StateActor {
  let stored = Knot(0)
  nonisolated var knot: Knot<Int> { stored }
}

/// A holder without hooks that creates a knot each time `knot` is read.
private actor Forgetful: StateActor {
  nonisolated var knot: Knot<Int> { Knot(0) }
}

/// A node with hooks that creates a knot each time `knot` is read.
private actor ForgetfulNode: Knotable {
  nonisolated var knot: Knot<OuterState> { Knot() }
  func update(_ state: OuterState) {}
}

/// A view that creates a knot each time `knot` is read.
@MainActor private final class ForgetfulView: KnotableView {
  nonisolated var knot: Knot<OuterState> { Knot() }
  func update(_ state: OuterState) {}
}

@Suite struct SharedKnotTests {
  @Test(
    "S15: a subclass's handler runs when code of its superclass reduces, and vice versa")
  @MainActor
  func subclass() {
    let (view, bag) = (DerivedView(), TaskBag())
    var heard: [String] = []
    view.observe(in: bag) { view, state in heard.append("\(view.name) \(state.count)") }
    (view as BaseView).observe(in: bag) { _, state in heard.append("base \(state.count)") }
    view.bump()
    view.reduce { $0.count += 10 }
    #expect(heard == ["derived 1", "base 1", "derived 11", "base 11"])
    #expect(view.drawn == [1, 11])
    bag.cancel()
  }

  @Test("S12: a computed property that always returns the same knot can be written")
  func computed() async {
    let keeper = Keeper()
    await keeper.reduce { $0 += 1 }
    #expect(keeper.state == 1)
  }

  #if os(macOS) || os(Linux)
    enum Use: String, CaseIterable, Codable { case reduces, observes, reducesWithoutHooks }

    @Test(
      "S12, S15: writing or observing a knot through a second holder traps",
      arguments: Use.allCases)
    func shared(_ use: Use) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [use] in
        let node = Node()
        await node.sink(.init(count: 1))
        switch use {
        case .reduces: await Parasite(on: node).reduce { $0.count += 1 }
        case .observes: _ = await Parasite(on: node).observe(in: node.knot.bag) { _, _ in }
        case .reducesWithoutHooks: await PlainParasite(on: node).reduce { $0.count += 1 }
        }
      }
      #expect(result.says("Two holders share one Knot<State>"))
      #expect(result.says("Give each holder its own knot"))
    }
  #endif

  #if DEBUG && (os(macOS) || os(Linux))
    enum Write: String, CaseIterable, Codable {
      case reduce, sink, consume, nodeReduce, nodeSink, nodeConsume, nodeObserve
      case viewReduce, viewSink, viewConsume, viewObserve
    }

    @Test(
      "S12: a debug build traps if a holder's knot property creates a knot each time, because writes would be lost",
      arguments: Write.allCases)
    func createdEachTime(_ write: Write) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [write] in
        let (holder, node, bag) = (Forgetful(), ForgetfulNode(), TaskBag())
        let view = ForgetfulView()
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.yield(1)
        continuation.finish()
        switch write {
        case .reduce: await holder.reduce { $0 += 1 }
        case .sink: await holder.sink(1)
        case .consume: await holder.consume(events) { $1 = $0 }
        case .nodeReduce: await node.reduce { $0.count += 1 }
        case .nodeSink: await node.sink(OuterState())
        case .nodeConsume: await node.consume(events) { $1.count = $0 }
        case .nodeObserve: await node.observe(in: bag) { _, _ in }
        case .viewReduce: await view.reduce { $0.count += 1 }
        case .viewSink: await view.sink(OuterState())
        case .viewConsume: await view.consume(events) { $1.count = $0 }
        case .viewObserve: await view.observe(in: bag) { _, _ in }
        }
      }
      #expect(result.says("'knot' returns a different object at each read, so writes are lost"))
    }
  #endif
}

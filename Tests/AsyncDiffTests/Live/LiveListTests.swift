import AsyncDiffTesting
import AsyncKnot
import Synchronization
import TestSupport
import Testing

@testable import AsyncDiff

/// A holder whose state is a table.
actor Exchange: StateActor {
  let knot: Knot<LiveTable<Quote>>

  init(_ rows: [Quote] = []) { knot = Knot(LiveTable(rows)) }
}

/// A holder whose state contains a table.
actor Shop: StateActor {
  struct State: Sendable {
    var title = ""
    var quotes = LiveTable<Quote>()
  }
  let knot = Knot(State())
}

typealias QuoteSection = LiveSection<Int, Quote, NoContent>

@Suite struct LiveListTests {
  private let open = LiveQuery(of: Quote.self).filter(\.isOpen).sorted(by: \.volume)

  @Test("D26: a list without a waiting observer does no work and catches up in one step")
  func costsNothing() async {
    let calls = Mutex(0)
    let exchange = Exchange((0..<1_000).map { Quote(id: "\($0)", volume: $0) })
    let list = LiveList(
      LiveQuery(of: Quote.self).filter { _ in
        calls.withLock { $0 += 1 }
        return true
      }, of: exchange)
    var states = list.states.makeAsyncIterator()
    _ = await states.next()
    // The list is idle when it waits for an observer.
    await waitWhile(!list.knot.demand.isAwaited)
    calls.withLock { $0 = 0 }
    for step in 1...100 {
      await exchange.reduce { $0.update(id: "7") { $0.price = Double(step) } }
      for _ in 0..<5 { await Task.yield() }
    }
    #expect(calls.withLock { $0 } == 0)
    #expect(await states.next()?.items(in: 0)[7].price == 100)
    #expect(calls.withLock { $0 } == 2, "one call each for the row's old and new value")
  }

  @Test(
    "D26: a list is updated while a buffering observer exists, even if the observer takes no state")
  func buffering() async {
    let exchange = Exchange()
    let list = LiveList(open, of: exchange)
    await waitWhile(!list.knot.demand.isAwaited)
    let states = list.states(buffering: .unbounded).makeAsyncIterator()
    await exchange.reduce { $0.upsert(Quote(id: "a")) }
    await waitWhile(list.state.numberOfItems == 0)
    #expect(list.state.items(in: 0).map(\.id) == ["a"])
    withExtendedLifetime(states) {}
  }

  @Test("D26: a buffering observer and an observer of two sources both receive the last version")
  func observers() async {
    let exchange = Exchange()
    let list = LiveList(open, of: exchange)
    let buffering = list.states(buffering: .unbounded)
    let seen = Task {
      var counts: [Int] = []
      for await state in buffering {
        counts.append(state.numberOfItems)
        if state.numberOfItems == 3 { break }
      }
      return counts.last
    }
    let both = Task {
      for await (state, table) in AsyncKnot.states(of: list, exchange) {
        if state.numberOfItems == 3, table.count == 3 { return true }
      }
      return false
    }
    for id in ["a", "b", "c"] { await exchange.reduce { $0.upsert(Quote(id: id)) } }
    #expect(await seen.value == 3)
    #expect(await both.value)
  }

  @Test("D26, S23: a list that only a derived source observes is updated")
  func derivedObserver() async {
    await explore(seeds: 20, allowing: [.noChoice]) {
      let exchange = Exchange()
      let list = LiveList(self.open, of: exchange)
      var counts = Derived(from: list) { $0.numberOfItems }.states.makeAsyncIterator()
      #expect(await counts.next() == 0)
      // The list is idle when it waits for an observer.
      await untilIdle()
      await exchange.reduce { $0.upsert(Quote(id: "a")) }
      // If the list does not notice the derived source, the exploration stalls here.
      #expect(await counts.next() == 1)
    }
  }

  @Test("D26: a list shows queries in the order of the calls to show(_:)")
  func queries() async {
    let exchange = Exchange((0..<100).map { Quote(id: "\($0)", volume: $0, isOpen: $0 % 2 == 0) })
    let list = LiveList(open, of: exchange)
    var states = list.states.makeAsyncIterator()
    let all = await states.next()
    list.show(open.filter { $0.volume > 50 })
    #expect(
      await states.next()?.items(in: 0).map(\.volume) == Array(stride(from: 52, to: 100, by: 2)))
    list.show(open.sorted(by: \.volume, descending: true).window(0..<3))
    #expect(await states.next()?.items(in: 0).map(\.volume) == [0, 2, 4])
    list.show(open.filter { $0.volume > 500 })
    list.show(open)
    #expect(await states.next() == all)
  }

  /// Ten quotes, and a query whose condition reads the least volume from a setting.
  private func quotes(from least: Shared<Int>) -> (Exchange, LiveQuery<Quote, QuoteSection>) {
    let exchange = Exchange((0..<10).map { Quote(id: "\($0)", volume: $0) })
    return (exchange, open.filter { $0.volume >= least.value })
  }

  @Test(
    "D26: showing a query again calls its closures for all rows, and a later change calls them only for the changed rows"
  )
  func shownAgain() async {
    let least = Shared(8)
    let (exchange, query) = quotes(from: least)
    let list = LiveList(query, of: exchange)
    var states = list.states.makeAsyncIterator()
    #expect(await states.next()?.numberOfItems == 2)
    least.value = 3
    list.show(query)
    #expect(await states.next()?.numberOfItems == 7)
    least.value = 8
    await exchange.reduce { $0.upsert(Quote(id: "new", volume: 9)) }
    #expect(await states.next()?.numberOfItems == 8)
  }

  @Test("D26: showing a query again calls its closures again, even if another query follows it")
  func shownAgainAndNarrowed() async {
    let least = Shared(8)
    let (exchange, query) = quotes(from: least)
    let list = LiveList(query, of: exchange)
    var states = list.states.makeAsyncIterator()
    #expect(await states.next()?.numberOfItems == 2)
    least.value = 3
    list.show(query)
    list.show(query.window(0..<5))
    #expect(await states.next()?.items(in: 0).map(\.volume) == [3, 4, 5, 6, 7])
    least.value = 5
    list.show(query.window(0..<5))
    list.show(query.filter { $0.volume != 9 })
    #expect(await states.next()?.items(in: 0).map(\.volume) == [5, 6, 7, 8])
  }

  @Test(
    "D26: showing a query again calls its closures again, even if the list has skipped another query in between"
  )
  func shownAgainAfterAnother() async {
    await explore(seeds: 100) {
      let least = Shared(8)
      let (exchange, query) = self.quotes(from: least)
      let list = LiveList(query, of: exchange)
      var states = list.states.makeAsyncIterator()
      #expect(await states.next()?.numberOfItems == 2)
      least.value = 3
      list.show(query.window(0..<1))
      list.show(query)
      // If the list does not call the closures again, the exploration stalls here.
      while let shown = await states.next(), shown.numberOfItems != 7 {}
    }
  }

  @Test(
    "D26: a query without sections(by:) shows one section, even if the list had no sections before")
  func emptySection() async {
    let exchange = Exchange()
    let list = LiveList(open.sections(by: \.volume), of: exchange)
    var states = list.states.makeAsyncIterator()
    #expect(await states.next()?.numberOfSections == 0)
    list.show(open)
    #expect(await states.next()?.numberOfSections == 1)
  }

  @Test("D26: a list of one part of a state ignores changes in other parts")
  func part() async {
    let shop = Shop()
    let list = LiveList(open, of: shop) { $0.quotes }
    var states = list.states.makeAsyncIterator()
    _ = await states.next()
    let next = Task { [states] in
      var states = states
      return await states.next()
    }
    await shop.reduce { $0.title = "new" }
    await shop.reduce { $0.quotes.upsert(Quote(id: "a")) }
    #expect(await next.value?.numberOfItems == 1)
    #expect(list.knot.version == 2)
  }

  /// A row whose `==` ignores its identifier.
  private struct Look: Diffable, Equatable, Sendable {
    let diffIdentifier: String
    static func == (_: Look, _: Look) -> Bool { true }
  }

  @Test(
    "D26: in a window, the next row replaces a removed row, even if both rows compare equal")
  func equalRowsInAWindow() async {
    await explore(seeds: 20, allowing: [.noChoice]) {
      let exchange = Exchange([Quote(id: "a"), Quote(id: "b")])
      let query = LiveQuery(of: Quote.self) { Look(diffIdentifier: $0.id) }.window(0..<1)
      let list = LiveList(query, of: exchange)
      var states = list.states.makeAsyncIterator()
      #expect(await states.next()?.sections[0].rows.map(\.diffIdentifier) == ["a"])
      await exchange.reduce { _ = $0.remove(id: "a") }
      #expect(await states.next()?.sections[0].rows.map(\.diffIdentifier) == ["b"])
    }
  }

  /// A row that counts how often its identifier is read.
  private struct Counted: Diffable, Equatable, Sendable {
    static let reads = Atomic(0)
    let id: String
    var diffIdentifier: String {
      Self.reads.add(1, ordering: .relaxed)
      return id
    }
  }

  @Test("D26: an update that changes nothing visible reads only a part of a long list")
  func invisibleUpdate() async {
    let exchange = Exchange((0..<20_000).map { Quote(id: "\($0)") })
    let query = LiveQuery(of: Quote.self) { Counted(id: $0.id) }
    let list = LiveList(query, of: exchange)
    _ = list.state
    let before = Counted.reads.load(ordering: .relaxed)
    await exchange.reduce { _ = $0.update(id: "5") { $0.price = 9 } }
    #expect(list.state.numberOfItems == 20_000)
    let reads = Counted.reads.load(ordering: .relaxed) - before
    #expect(reads < 2_000, "\(reads) identifiers were read")
  }

  /// A row whose `==` compares only its title.
  private struct Titled: Diffable, Equatable, Sendable {
    let diffIdentifier: String
    var title = "same"
    let price: Double
    static func == (lhs: Titled, rhs: Titled) -> Bool { lhs.title == rhs.title }
  }

  @Test(
    "D26: rows that compare equal are shown in their new order, with their new properties",
    arguments: [false, true])
  func equalRowsInAnotherOrder(isWindow: Bool) async {
    await explore(seeds: 20, allowing: [.noChoice]) {
      let exchange = Exchange([Quote(id: "a", price: 1), Quote(id: "b", price: 2)])
      let all = LiveQuery(of: Quote.self) { Titled(diffIdentifier: $0.id, price: $0.price) }
        .sorted(by: \.price)
      let list = LiveList(isWindow ? all.window(0..<2) : all, of: exchange)
      var states = list.states.makeAsyncIterator()
      #expect(await states.next()?.sections[0].rows.map(\.diffIdentifier) == ["a", "b"])
      await exchange.reduce { _ = $0.update(id: "a") { $0.price = 3 } }
      let rows = await states.next()?.sections[0].rows
      #expect(rows?.map(\.diffIdentifier) == ["b", "a"])
      #expect(rows?.map(\.price) == [2, 3])
    }
  }

  @Test("D26: a list does not keep its source alive, and an observer does not keep the list alive")
  func lifetimes() async {
    var exchange: Exchange? = Exchange([Quote(id: "a")])
    weak let source = exchange
    var list: LiveList? = exchange.map { LiveList(open, of: $0) }
    weak let weakList = list
    let states = list?.states
    exchange = nil
    #expect(source == nil)
    #expect(list?.state.numberOfItems == 1)
    list?.show(open.filter { _ in false })
    var iterator = states?.makeAsyncIterator()
    _ = await iterator?.next()
    #expect(await iterator?.next()?.numberOfItems == 0)
    list = nil
    await waitWhile(weakList != nil)
    #expect(await iterator?.next() == nil)
  }
}

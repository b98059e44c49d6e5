import AsyncKnot
import AsyncKnotTesting
import Synchronization
import TestSupport
import Testing

@testable import AsyncDiff

/// A row to which quotes refer.
struct Venue: Diffable, Hashable, Sendable {
  let id: Int
  var name = ""

  var diffIdentifier: Int { id }
}

actor Venues: StateActor {
  let knot: Knot<LiveTable<Venue>>

  init(_ venues: [Venue] = []) { knot = Knot(LiveTable(venues)) }
}

typealias Listed = LiveTable<Quote>.Joined<Venue>

@Suite struct TableJoinTests {
  /// The identifier of a quote's venue, or `nil` for exchange 3.
  private static func venue(of quote: Quote) -> Int? { quote.exchange == 3 ? nil : quote.exchange }

  @Test("D26: an updated join equals a join of the whole tables")
  func equalsRecomputation() {
    expectNoComplaint(seed: 11, rounds: 20) { random in
      let count = [3, 30, 300][random.integer(in: 0...2)]
      var oracle = TableOracle()
      for _ in 0..<count { oracle.upsert(.random(upTo: count, using: &random)) }
      var (quotes, venues) = (LiveTable(oracle.rows), LiveTable<Venue>())
      var join = TableJoin(quotes, with: venues, on: Self.venue)
      for step in 0..<25 {
        for _ in 0..<random.integer(in: 0...(step % 5 == 0 ? 90 : 2)) {
          oracle.edit(with: &quotes, upTo: count, using: &random)
        }
        for _ in 0..<random.integer(in: 0...1) {
          let id = random.integer(in: 0...3)
          venues.remove(id: id)
          if random.bool(probability: 0.7) { venues.upsert(Venue(id: id, name: "\(step)")) }
        }
        join.update(to: quotes, venues)
        let names = Dictionary(uniqueKeysWithValues: venues.rows.map { ($0.id, $0) })
        let expected = oracle.rows.map { quote in
          Listed(row: quote, match: quote.exchange == 3 ? nil : names[quote.exchange])
        }
        guard join.table.rows == expected else { return "step \(step): wrong rows" }
        guard quotes.joined(with: venues, on: Self.venue).rows == expected else {
          return "step \(step): a new join has different rows"
        }
        guard expected.allSatisfy({ join.table[$0.row.id] == $0 }) else {
          return "step \(step): a row is not found"
        }
      }
      return nil
    }
  }

  @Test(
    "D26: a change in the second table joins again only the rows that refer to the changed row")
  func cost() {
    let calls = Mutex(0)
    let quotes = LiveTable((0..<3_000).map { Quote(id: "\($0)", exchange: $0 / 3) })
    var venues = LiveTable((0..<1_000).map { Venue(id: $0) })
    var join = TableJoin(quotes, with: venues) { quote in
      calls.withLock { $0 += 1 }
      return quote.exchange
    }
    calls.withLock { $0 = 0 }
    venues.update(id: 7) { $0.name = "new" }
    join.update(to: quotes, venues)
    #expect(calls.withLock { $0 } == 3)
    #expect((21..<24).allSatisfy { join.table["\($0)"]?.match?.name == "new" })
  }

  @Test("D26: a row that is removed and inserted again comes last in a joined table")
  func comesBack() {
    let quotes = LiveTable((0..<9).map { Quote(id: "\($0)") })
    var joined = quotes.joined(with: LiveTable([Venue(id: 0)]), on: Self.venue)
    joined.remove(id: "0").map { joined.upsert($0) }
    #expect(joined.rows.map(\.row.id) == (1...8).map { "\($0)" } + ["0"])
  }

  @Test(
    "D26: if the results of a join key change, the next update of the first table joins all rows again",
    arguments: [1, 5])
  func impure(newShift: Int) {
    let shift = Mutex(0)
    var quotes = LiveTable((0..<1_000).map { Quote(id: "\($0)", exchange: $0 % 7) })
    let venues = LiveTable((0..<20).map { Venue(id: $0, name: "\($0)") })
    var join = TableJoin(quotes, with: venues) { quote in shift.withLock { $0 } + quote.exchange }
    shift.withLock { $0 = newShift }
    quotes.update(id: "3") { $0.exchange = 9 }
    join.update(to: quotes, venues)
    #expect(join.table.rows.allSatisfy { $0.match?.id == $0.row.exchange + newShift })
  }

  @Test(
    "D26: if the results of a join key change, an update of several rows joins all rows again")
  func impureForSeveralRows() {
    let shift = Mutex(0)
    var quotes = LiveTable((0..<1_000).map { Quote(id: "\($0)", exchange: $0 / 100) })
    let venues = LiveTable((0..<20).map { Venue(id: $0, name: "\($0)") })
    var join = TableJoin(quotes, with: venues) { quote in shift.withLock { $0 } + quote.exchange }
    shift.withLock { $0 = 1 }
    // The rows have one exchange, so both are expected where other rows name the next exchange.
    for id in ["300", "301"] { quotes.update(id: id) { $0.exchange = 9 } }
    join.update(to: quotes, venues)
    #expect(join.table.rows.allSatisfy { $0.match?.id == $0.row.exchange + 1 })
  }

  @Test(
    "D26: a list of joined rows follows both tables, and does not keep their holders alive")
  func list() async {
    let quotes = [Quote(id: "a", exchange: 1), Quote(id: "b", exchange: 2)]
    var exchange: Exchange? = Exchange(quotes)
    weak let weakExchange = exchange
    var venues: Venues? = Venues([Venue(id: 1, name: "z")])
    weak let weakVenues = venues
    let query = LiveQuery(of: Listed.self).sorted { $0.match?.name ?? "" }
    let list = LiveList(query, of: exchange!, joinedWith: venues!, on: \.exchange)
    #expect(list.state.items(in: 0).map(\.row.id) == ["b", "a"])
    var states = list.states.makeAsyncIterator()
    _ = await states.next()
    await venues?.reduce { $0.upsert(Venue(id: 2, name: "zz")) }
    #expect(await states.next()?.items(in: 0).map(\.row.id) == ["a", "b"])
    await exchange?.reduce { $0.upsert(Quote(id: "c", exchange: 3)) }
    #expect(await states.next()?.items(in: 0).map { $0.match?.name } == [nil, "z", "zz"])
    list.show(query.filter { $0.match != nil })
    #expect(await states.next()?.items(in: 0).map(\.row.id) == ["a", "b"])
    venues = nil
    while weakVenues != nil { await Task.yield() }
    await exchange?.reduce { $0.update(id: "c") { $0.exchange = 2 } }
    #expect(await states.next()?.items(in: 0).map(\.row.id) == ["a", "b", "c"])
    exchange = nil
    while weakExchange != nil { await Task.yield() }
    #expect(list.state.items(in: 0).map(\.row.id) == ["a", "b", "c"])
  }

  @Test("D26, S20: a table joined with itself shows both sides at the same point in time")
  func joinedWithItself() async {
    // This test runs on real threads, because an exploration does not switch tasks between two locks of a `Mutex`.
    let exchange = Exchange([Quote(id: "a")])
    let list = LiveList(
      LiveQuery(of: LiveTable<Quote>.Joined<Quote>.self), of: exchange, joinedWith: exchange
    ) { $0.id }
    let writer = Task.detached {
      var volume = 0
      while !Task.isCancelled {
        volume += 1
        let row = Quote(id: "a", volume: volume)
        await exchange.reduce { $0.upsert(row) }
        if volume.isMultiple(of: 100) { await Task.yield() }
      }
    }
    var (pairs, torn) = (0, 0)
    for await (one, other) in states(of: exchange, exchange) {
      pairs += 1
      if one != other { torn += 1 }
      if pairs == 4_000 { break }
    }
    #expect(torn == 0)
    var shown = 0
    for await state in list.states {
      shown += 1
      if !state.items(in: 0).allSatisfy({ $0.row == $0.match }) { torn += 1 }
      if shown == 200 { break }
    }
    #expect(torn == 0)
    writer.cancel()
  }
}

import AsyncDiff
import AsyncKnot
import Measure

/// Measures how long it takes to keep a filtered, sorted list up to date.
@main
struct DerivedBenchmarks {
  static let query = LiveQuery(of: Row.self).filter(\.isOpen).sorted(by: \.price)

  static func main() async throws {
    Report.header("Derived lists")
    if CommandLine.arguments.contains("growth") { return await Growth.print() }
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    // The memory is measured first, while the process has no freed memory to reuse.
    kept([100_000, 1_000_000])
    try await oneRow(sizes)
    try await shares(100_000)
    try await loads(sizes)
    await Growth.print()
  }

  private static func repetitions(_ count: Int) -> Int { count >= 1_000_000 ? 5 : 31 }

  /// The median time of repeated work, in microseconds.
  private static func median(_ count: Int, _ work: () async throws -> Void) async rethrows -> Double
  {
    var times: [Duration] = []
    for _ in 0..<count { times.append(try await ContinuousClock().measure(work)) }
    return median(of: times)
  }

  /// The median time of a step that changes `changed` rows, in microseconds.
  ///
  /// The time does not include choosing the rows at random.
  private static func median<Some: Contender>(
    _ count: Int, _ changed: Int = 1, _ contender: inout Some
  ) async throws -> Double {
    var times: [Duration] = []
    for _ in 0..<count + 3 {
      let changes = contender.market.draw(changed)
      times.append(try await ContinuousClock().measure { try await contender.step(changes) })
    }
    // The first three steps do not count, because they start with cold caches.
    return median(of: times.dropFirst(3))
  }

  private static func median(of times: some Collection<Duration>) -> Double {
    times.sorted()[times.count / 2].nanoseconds / 1_000
  }

  /// A list, its observer, and the snapshot that was shown last.
  private struct Followed: Contender {
    var market: Market
    let holder: Holder
    let list: LiveList<Row, Live>
    var states: StateSequence<DiffableSnapshot<Live>>.AsyncIterator
    var shown: DiffableSnapshot<Live>

    init(_ market: Market) async {
      self.market = market
      holder = Holder(market.rows)
      list = LiveList(DerivedBenchmarks.query, of: holder)
      states = list.states.makeAsyncIterator()
      shown = await states.next() ?? DiffableSnapshot()
    }

    mutating func step(_ changes: [Change]) async {
      await holder.upsert(changes)
      let new = await states.next() ?? shown
      consume(shown.batches(to: new))
      shown = new
    }
  }

  /// A list whose observer is a surface.
  private struct Applied: Contender {
    var followed: Followed
    let source: DiffableDataSource<Live>

    var market: Market {
      get { followed.market }
      set { followed.market = newValue }
    }

    init(_ market: Market) async throws {
      followed = await Followed(market)
      source = DiffableDataSource(surface: Surface())
      try await source.apply(followed.shown)
    }

    mutating func step(_ changes: [Change]) async throws {
      await followed.holder.upsert(changes)
      if let snapshot = await followed.states.next() { try await source.apply(snapshot) }
    }
  }

  private static func oneRow(_ sizes: [Int]) async throws {
    let report = Report([
      "one row moves, µs", "recomputed", "careful array", "LiveList",
      "LiveList to an actor's surface",
    ])
    for size in sizes {
      let market = Market(count: size)
      var recomputing = Recomputing(market)
      let recomputed = try await median(size >= 100_000 ? 5 : 15, 1, &recomputing)
      recomputing.shown = DiffableSnapshot()
      var careful = Careful(market)
      let array = try await median(repetitions(size), 1, &careful)
      careful = Careful(Market(count: 4))
      var followed = await Followed(market)
      let list = try await median(301, 1, &followed)
      var applied = try await Applied(market)
      let surface = try await median(301, 1, &applied)
      report.row(
        "\(size) rows", figure(recomputed), figure(array), figure(list), figure(surface))
    }
  }

  private static func shares(_ size: Int) async throws {
    let report = Report(["\(size) rows: rows changed, µs", "recomputed", "LiveList", "ratio"])
    for count in [1, 10, 100, 1_000, 3_000, 9_000, 30_000, size * 3 / 4] {
      let market = Market(count: size)
      var recomputing = Recomputing(market)
      var followed = await Followed(market)
      let recomputed = try await median(9, count, &recomputing)
      let list = try await median(9, count, &followed)
      report.row("\(count)", figure(recomputed), figure(list), figure(list / recomputed))
    }
  }

  private static func kept(_ sizes: [Int]) {
    let report = Report([
      "bytes per row", "an array", "a table and one list", "while they are created",
    ])
    for size in sizes {
      var market = Market(count: size)
      var kept: [Any] = []
      let list = memory {
        let table = LiveTable(market.rows)
        kept += [table, query.snapshot(of: table)]
      }
      let array = memory {
        market.rows[0].isOpen.toggle()
        kept.append(market.rows.map { $0 })
      }
      func share(_ bytes: Int?) -> String { bytes.map { figure(Double($0) / Double(size)) } ?? "–" }
      report.row("\(size) rows", share(array?.kept), share(list?.kept), share(list?.peak))
    }
  }

  private static func loads(_ sizes: [Int]) async throws {
    let report = Report([
      "a list is created, µs", "filter, sort", "table", "list", "new condition",
    ])
    for size in sizes {
      let market = Market(count: size)
      let count = size >= 1_000_000 ? 3 : 9
      let array = await median(count) { consume(Recomputing.derive(market)) }
      let table = await median(count) { consume(LiveTable(market.rows)) }
      let holder = Holder(market.rows)
      let list = await median(count) { consume(LiveList(query, of: holder)) }
      let shown = LiveList(query, of: holder)
      var states = shown.states.makeAsyncIterator()
      _ = await states.next()
      var isNarrow = false
      let condition = await median(2 * count) {
        isNarrow.toggle()
        shown.show(isNarrow ? query.filter { $0.group != 3 } : query)
        _ = await states.next()
      }
      report.row(
        "\(size) rows", figure(array), figure(table), figure(list), figure(condition))
    }
  }
}

import AsyncDiff
import AsyncKnot

/// Changes tables and queries at random, and compares each derived list with a result that is computed from scratch.
struct DerivedLists {
  private actor Exchange: StateActor {
    let knot: Knot<LiveTable<Quote>>

    init(_ table: LiveTable<Quote>) { knot = Knot(table) }
  }

  private var random: Random

  init(seed: UInt64) { random = Random(state: seed) }

  /// Compares at least `count` states, and traps at the first difference.
  mutating func play(_ count: UInt64) async {
    var compared: UInt64 = 0
    while compared < count {
      let size = [4, 20, 120][Int.random(in: 0...2, using: &random)]
      var (table, oracle) = (LiveTable<Quote>(), TableOracle())
      for _ in 0..<size { oracle.edit(with: &table, upTo: size, using: &random) }
      var query = QueryOracle.random(upTo: size, using: &random)
      var shownQuery = query.query
      var plan = (query, shownQuery)
      let exchange = Exchange(table)
      let list = LiveList(shownQuery, of: exchange)
      var states = list.states.makeAsyncIterator()
      var shown = await states.next() ?? DiffableSnapshot()
      for _ in 0..<20 {
        compared += 1
        let isMany = Int.random(in: 0..<8, using: &random) == 0
        for _ in 0..<(isMany ? size : Int.random(in: 1...3, using: &random)) {
          oracle.edit(with: &table, upTo: size, using: &random)
        }
        let newTable = table
        await exchange.sink(newTable)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          query = .random(upTo: size, using: &random)
          shownQuery = query.query
          plan = (query, shownQuery)
          list.show(shownQuery)
        case 1:
          if Bool.random(using: &random) { (query, shownQuery) = plan }
          let least = Int.random(in: -50...50, using: &random)
          query.least = max(query.least ?? least, least)
          shownQuery = shownQuery.filter { $0.quote.volume >= least }
          list.show(shownQuery)
        default: break
        }
        let expected = query.sections(of: oracle)
        // An unchanged list does not send a state, and the changes of the table and of the query may arrive in separate states.
        for _ in 0..<3 where shown.sections != expected {
          shown = await states.next() ?? shown
        }
        guard shown.sections == expected else {
          fatalError("DiffFuzz: \(query) of \(oracle.rows) is shown as \(shown)")
        }
        guard shownQuery.snapshot(of: newTable) == shown else {
          fatalError(
            "DiffFuzz: \(query) of \(oracle.rows) is rebuilt as \(shownQuery.snapshot(of: newTable))"
          )
        }
      }
    }
    print("\(compared) states of derived lists: no complaint")
  }
}

/// A random number generator whose numbers depend only on its seed (SplitMix64).
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

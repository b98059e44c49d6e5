/// Creates, reads and observes derived sources on real threads, which can be interrupted where an exploration cannot switch
/// tasks.
@Suite(.timeLimit(.minutes(30))) struct DerivedStormTests {
  /// The state of each counter, by the counter's index, or `-1` if two parts of a derived state used different states of that
  /// counter.
  private typealias Numbers = [Int: Int]

  private static func merged(_ one: Numbers, _ other: Numbers) -> Numbers {
    one.merging(other) { $0 == $1 ? $0 : -1 }
  }

  private static func numbers(of counter: Session, _ index: Int) -> Derived<Numbers> {
    Derived(from: counter) { [index: $0] }
  }

  /// Returns whether `new` uses one state of each counter, and none older than the state in `old`.
  private static func follows(_ new: Numbers, _ old: Numbers) -> Bool {
    new.allSatisfy { $1 >= 0 && $1 >= old[$0, default: 0] }
  }

  @Test(
    "S23: on real threads, a graph of derived sources shows consistent states, in order"
  )
  func storm() async {
    for seed in 0..<(isSanitized ? 2 : isDebug ? 6 : 40) as Range<UInt64> {
      let wrong = await rage(seed)
      #expect(wrong.isEmpty)
    }
  }

  private func rage(_ seed: UInt64) async -> [String] {
    var random = SeededGenerator(seed: seed)
    let counters = (0..<3).map { _ in Session() }
    var graph = counters.indices.map { Self.numbers(of: counters[$0], $0) }
    for _ in 0..<12 {
      let sources = (0..<2).map { _ in graph[random.integer(in: 0...graph.count - 1)] }
      graph.append(Derived(from: sources[0], sources[1], by: Self.merged))
    }
    let (wrong, last) = (Log<String>(), 7 + 300)
    await withDiscardingTaskGroup { group in
      for derived in graph {
        group.addTask {
          var old: Numbers = [:]
          for await new in derived.states {
            if !Self.follows(new, old) { wrong.append("observed \(new) after \(old)") }
            old = new
            if new.values.allSatisfy({ $0 == last }) { break }
          }
        }
      }
      for reader in 0..<3 {
        group.addTask { [graph, start = random.integer(in: 0...graph.count - 1)] in
          var olds = graph.map { _ in Numbers() }
          for step in 0..<300 {
            let index = (start + step * (reader + 1)) % graph.count
            let new = graph[index].state
            if !Self.follows(new, olds[index]) { wrong.append("read \(new) after \(olds[index])") }
            olds[index] = new
            // A new source that derives from existing sources must not be older than they are.
            let other = graph[(index + step) % graph.count]
            let both = Derived(from: graph[index], other, by: Self.merged).state
            if !Self.follows(both, new) { wrong.append("derived \(both) after \(new)") }
          }
        }
      }
      for counter in counters {
        group.addTask { for _ in 0..<300 { await counter.reduce { $0 += 1 } } }
      }
    }
    for _ in 0..<100_000 where counters.contains(where: { $0.knot.observerCount > 0 }) {
      await Task.yield()
    }
    for counter in counters where counter.knot.observerCount > 0 {
      wrong.append("\(counter.knot.observerCount) observers are still registered")
    }
    return wrong.all
  }
}

import AsyncKnotTesting
import Testing

@testable import LogWatch

@Suite("LogWatch: counting")
struct LogWatchCountingTests {
  @Test("Up to the capacity, every key has its exact count", arguments: 1...20)
  func exact(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var keys = TopKeys(capacity: 50)
    var counts: [String: Int] = [:]
    for _ in 0..<2000 {
      let key = "k\(Int.random(in: 0..<50, using: &random))"
      let count = Int.random(in: 1...3, using: &random)
      keys.add(key, count)
      counts[key, default: 0] += count
    }
    #expect(keys.isExact)
    let wanted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    #expect(keys.top(50).map(\.key) == wanted.map(\.key))
    #expect(keys.top(50).map(\.count) == wanted.map(\.value))
    #expect(keys.top(3).count == 3)
  }

  @Test(
    "Beyond the capacity, counts are right or too high by at most their error, and no frequent key is missing",
    arguments: 1...20)
  func bounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var keys = TopKeys(capacity: 20)
    var counts: [String: Int] = [:]
    for _ in 0..<5000 {
      // The minimum of three draws makes a few keys frequent and most keys rare.
      let rank = (0..<3).map { _ in Int.random(in: 0..<400, using: &random) }.min() ?? 0
      keys.add("k\(rank)")
      counts["k\(rank)", default: 0] += 1
    }
    #expect(!keys.isExact)
    #expect(keys.count == 20)
    #expect(keys.total == 5000)
    let kept = Dictionary(uniqueKeysWithValues: keys.top(20).map { ($0.key, $0) })
    for (key, entry) in kept {
      let truth = counts[key, default: 0]
      #expect(entry.count >= truth)
      #expect(entry.count - entry.excess <= truth)
    }
    for (key, count) in counts where count > 5000 / 20 { #expect(kept[key] != nil) }
  }

  @Test(
    "A timeline keeps its total in a bounded number of spans, regardless of the times",
    arguments: 1...20
  )
  func timeline(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var timeline = Timeline(capacity: 32)
    let reach = [10, 1000, 10_000_000, 200_000_000_000].randomElement(using: &random) ?? 1
    let times = (0..<500).map { _ in Int.random(in: -reach...reach, using: &random) }
    for time in times { timeline.add(time) }
    #expect(timeline.range == (times.min() ?? 0)...(times.max() ?? 0))
    for limit in [1, 7, 80, 200] {
      let columns = timeline.columns(limit)
      #expect(columns.counts.count <= limit)
      let total = columns.counts.reduce(0, +)
      #expect(abs(total - Double(times.count)) < 0.001)
    }
    #expect(Timeline().columns(80).counts.isEmpty)
  }

  @Test(
    "A timeline of one line each second is flat, regardless of its length and width",
    arguments: [10, 59, 600, 7_321])
  func flat(seconds: Int) {
    var timeline = Timeline()
    for second in 1_000_003..<1_000_003 + seconds { timeline.add(second) }
    for limit in [1, 7, 78, 200] {
      let columns = timeline.columns(limit)
      #expect(columns.counts.count == min(limit, seconds))
      let isFlat = columns.counts.allSatisfy { abs($0 - columns.seconds) < 0.001 }
      #expect(isFlat)
      #expect(abs(columns.seconds * Double(columns.counts.count) - Double(seconds)) < 0.001)
    }
    #expect(timeline.counts.map(\.lines).reduce(0, +) == seconds)
  }

  @Test("A burst keeps its position in time")
  func burst() {
    var timeline = Timeline()
    for second in 0..<1000 { timeline.add(second) }
    timeline.add(750, 1000)
    let counts = timeline.columns(100).counts
    #expect(counts.firstIndex { $0 > 900 } == 75)
  }

  @Test("Texts in a shared byte buffer get the same counts as in a dictionary", arguments: 1...20)
  func byteCounts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    var parts: [Text] = []
    var wanted: [String: Int] = [:]
    for _ in 0..<2000 {
      let text =
        String(repeating: "k", count: Int.random(in: 0..<20, using: &random))
        + "\(Int.random(in: 0..<300, using: &random))"
      wanted[text, default: 0] += 1
      if Bool.random(using: &random) {
        parts.append(.made(text))
      } else {
        parts.append(.part(bytes.count..<bytes.count + text.utf8.count))
        bytes += text.utf8
      }
    }
    var counts = ByteCounts()
    bytes.withUnsafeBufferPointer { buffer in for part in parts { counts.add(part, in: buffer) } }
    var found: [String: Int] = [:]
    for (key, count) in counts.counts(in: bytes) { found[key, default: 0] += count }
    #expect(found == wanted)
  }

  @Test("Quantiles are off by at most an eighth", arguments: 1...20)
  func quantiles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (whole, half) = (Distribution(), Distribution())
    let values = (0..<1000).map { _ in
      Int.random(in: 0...(1 << Int.random(in: 0...40, using: &random)), using: &random)
    }
    for (index, value) in values.enumerated() {
      if index.isMultiple(of: 2) { whole.add(value) } else { half.add(value) }
    }
    whole.add(half)
    let sorted = values.sorted()
    for share in [0.01, 0.5, 0.95, 0.99, 1] {
      let exact = Double(sorted[Int((1000 * share).rounded(.up)) - 1])
      let estimate = Double(whole.quantile(share))
      #expect(estimate >= exact && estimate <= exact * 1.125 + 1)
    }
    #expect(whole.total == values.reduce(0, +))
    #expect(Distribution().quantile(0.5) == 0)
  }

  @Test("A rate lists the number of lines in each second, with the newest second last")
  func rate() {
    var rate = Rate()
    #expect(rate.perSecond == 0)
    #expect(rate.seconds(10).isEmpty)
    for lines in [1, 3, 6, 10, 15, 21] { rate.tick(lines: lines) }
    #expect(rate.perSecond == 3 + 4 + 5 + 6)
    #expect(rate.seconds(10) == [1 + 2, 3 + 4 + 5 + 6])
    for tick in 0..<10_000 { rate.tick(lines: 21 + tick) }
    #expect(rate.seconds(1000).count == Rate.capacity / Rate.ticksPerSecond)
  }

  @Test("If there are too many keys, the distributions of the frequent ones are kept")
  func frequentKeys() {
    var frequent = TopKeys(capacity: 2)
    for (key, count) in [("a", 100), ("b", 90)] { frequent.add(key, count) }
    var distributions = KeyedDistributions()
    let keys = ["a", "b", "c", "d", "e"].map { (key: $0, count: 1) }
    let values = keys.indices.map { (key: UInt32($0), value: $0) }
    distributions.add(values, of: keys, among: frequent)
    let kept = keys.map(\.key).filter { distributions[$0] != nil }
    #expect(kept == ["a", "b"])
  }

  @Test("Only the last 100 lines are kept, across batches")
  func recent() {
    var tally = Tally()
    for start in [0, 70, 140] {
      let text = (start..<start + 70).map { "line \($0)\n" }.joined()
      tally.absorb(LineDigest(text))
    }
    #expect(tally.recent.map(\.text) == (110..<210).map { "line \($0)" })
  }

  @Test("A change of order marks as few moved rows as possible, and marks all new rows")
  func ranking() {
    var ranking = Ranking()
    func order(_ keys: String...) -> [TopKeys.Entry] {
      keys.enumerated().map { TopKeys.Entry(key: $1, count: 100 - $0) }
    }
    ranking.update(to: order("a", "b", "c", "d"))
    #expect(ranking.rows.map(\.mark) == [.stayed, .stayed, .stayed, .stayed])
    ranking.update(to: order("d", "a", "b", "c"))
    #expect(ranking.rows.map(\.mark) == [.rose, .stayed, .stayed, .stayed])
    ranking.update(to: order("a", "b", "x", "d"))
    #expect(ranking.rows.map(\.mark) == [.stayed, .stayed, .new, .fell])
    ranking.update(to: order("a", "b", "x", "d"))
    #expect(ranking.rows.map(\.mark) == [.stayed, .stayed, .stayed, .stayed])
  }
}

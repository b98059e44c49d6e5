import Foundation

/// The factor for the rounds of random tests: 10 with `EXHAUSTIVE=1` in the environment, otherwise 1.
let thoroughness = ProcessInfo.processInfo.environment["EXHAUSTIVE"] == nil ? 1 : 10

/// Tries `rounds` random cases, or ten times `rounds` with `EXHAUSTIVE=1`, and records the first complaint.
func expectNoComplaint(
  seed: Int, rounds: Int, sourceLocation: SourceLocation = #_sourceLocation,
  _ judge: (inout SeededGenerator) throws -> String?
) rethrows {
  let complaint = try firstComplaint(seed: seed, rounds: rounds, judge)
  #expect(complaint == nil, "\(complaint ?? "")", sourceLocation: sourceLocation)
}

/// The first complaint in `rounds` random cases, or in ten times `rounds` with `EXHAUSTIVE=1`; `nil` if no case complains.
func firstComplaint(
  seed: Int, rounds: Int, _ judge: (inout SeededGenerator) throws -> String?
) rethrows -> String? {
  var random = SeededGenerator(seed: UInt64(seed))
  for round in 0..<rounds * thoroughness {
    if let complaint = try judge(&random) { return "round \(round): \(complaint)" }
  }
  return nil
}

extension SeededGenerator {
  /// Rows with identifiers below `alphabet`, which may repeat.
  mutating func rows(upTo limit: Int, alphabet: Int) -> [Row<Int>] {
    (0..<Int.random(in: 0...limit, using: &self)).map { _ in
      Row(
        diffIdentifier: Int.random(in: 0..<alphabet, using: &self),
        content: Int.random(in: 0...1, using: &self))
    }
  }

  /// The rows after a few random edits.
  ///
  /// An inserted row gets an unused identifier.
  mutating func edited(_ rows: [Row<Int>], edits: Int) -> [Row<Int>] {
    var rows = rows
    var fresh = (rows.map(\.diffIdentifier).max() ?? 0) + 1
    for _ in 0..<edits {
      let place = Int.random(in: 0...rows.count, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0:
        rows.insert(Row(diffIdentifier: fresh), at: place)
        fresh += 1
      case 1 where place < rows.count:
        rows.remove(at: place)
      case 2 where place < rows.count:
        rows[place].content += 1
      case 3 where place < rows.count:
        let row = rows.remove(at: place)
        rows.insert(row, at: Int.random(in: 0...rows.count, using: &self))
      case 4 where place < rows.count:
        // Move a block of rows.
        let end = Int.random(in: place...min(rows.count, place + 8), using: &self)
        let block = rows[place..<end]
        rows.removeSubrange(place..<end)
        rows.insert(contentsOf: block, at: Int.random(in: 0...rows.count, using: &self))
      default: break
      }
    }
    return rows
  }
}

extension Days {
  /// Up to four days, and up to twelve articles spread over them.
  static func random(_ generator: inout SeededGenerator) -> Days {
    let names = ["a", "b", "c", "d"].filter { _ in generator.bool(probability: 0.7) }
      .shuffled(using: &generator)
    var days: [Day] = []
    for name in names { days.append(Day(name, header: generator.bool() ? "" : "new", ids: [])) }
    let ids = (1...12).filter { _ in generator.bool() }.shuffled(using: &generator)
    for id in ids where !days.isEmpty {
      let day = generator.integer(in: 0...(days.count - 1))
      days[day].items.append(Article(id, generator.bool() ? "\(id)" : "\(id) changed"))
    }
    return Days(sections: days)
  }
}

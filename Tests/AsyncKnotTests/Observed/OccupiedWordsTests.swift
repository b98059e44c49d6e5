@testable import AsyncKnot
import AsyncKnotTesting
import Testing

/// The words in which tracked values lie, against a set of their numbers.
@Suite struct OccupiedWordsTests {
  @Test("S19: a change is seen exactly where it meets a word of a tracked value")
  func agreesWithASet() {
    var generator = SeededGenerator(seed: 19)
    var (isEqual, meetings) = (true, 0)
    for _ in 0..<2_000 {
      var words = OccupiedWords()
      var oracle: Set<Int> = []
      for _ in 0..<generator.integer(in: 0...4) {
        let start = generator.integer(in: 0...1_500)
        let count = generator.integer(in: 0...40)
        words.insert(.bytes(start, count))
        for byte in start..<start + count { oracle.insert(byte / 8) }
      }
      let first = generator.integer(in: 0...1_500)
      let last = first + generator.integer(in: 0...200)
      let meets = (first / 8...last / 8).contains { oracle.contains($0) }
      if meets { meetings += 1 }
      if words.intersects(first...last) != meets { isEqual = false }
    }
    #expect(isEqual)
    #expect(meetings > 100 && meetings < 1_900)
  }

  @Test("S19: a value that may change without a byte is met by every change")
  func anywhere() {
    var words = OccupiedWords()
    words.insert(.anywhere)
    #expect(words.intersects(0...0) && words.isAnywhere)
    words.removeAll()
    #expect(!words.intersects(0...1_000) && !words.isAnywhere)
  }
}

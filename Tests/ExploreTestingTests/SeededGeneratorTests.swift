@Suite struct SeededGeneratorTests {
  @Test("Seed 0 gives the published numbers of xoshiro256**, seeded by SplitMix64")
  func reference() {
    var generator = SeededGenerator(seed: 0)
    let numbers = (0..<4).map { _ in generator.next() }
    #expect(
      numbers == [
        11_091_344_671_253_066_420, 13_793_997_310_169_335_082, 1_900_383_378_846_508_768,
        7_684_712_102_626_143_532,
      ])
  }

  @Test("Integers stay in their range and reach both ends, even in the widest range")
  func integers() {
    var generator = SeededGenerator(seed: 1)
    let drawn = Set((0..<1_000).map { _ in generator.integer(in: -2...3) })
    #expect(drawn == [-2, -1, 0, 1, 2, 3])
    #expect(generator.integer(in: 7...7) == 7)
    let wide = (0..<100).map { _ in generator.integer(in: .min ... .max) }
    #expect(wide.contains { $0 < 0 } && wide.contains { $0 > 0 })
  }

  @Test("A Boolean value is true with the requested probability")
  func truth() {
    var generator = SeededGenerator(seed: 2)
    let rare = (0..<10_000).count { _ in generator.bool(probability: 0.1) }
    #expect((800...1_200).contains(rare))
    #expect(!(0..<1_000).contains { _ in generator.bool(probability: 0) })
    #expect((0..<1_000).allSatisfy { _ in generator.bool(probability: 1) })
  }

  @Test("Shuffles produce every order")
  func arrangements() {
    var generator = SeededGenerator(seed: 3)
    let orders = Set((0..<1_000).map { _ in [1, 2, 3, 4].shuffled(using: &generator) })
    #expect(orders.count == 24)
    #expect(orders.allSatisfy { $0.sorted() == [1, 2, 3, 4] })
    let counts = Set((0..<100).map { _ in generator.array(count: 2...4) { $0.next() }.count })
    #expect(counts == [2, 3, 4])
    #expect(generator.array(count: 0...0) { $0.next() } == [])
  }
}

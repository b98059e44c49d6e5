/// How a run draws what `choose` and `fault` decide.
///
/// Each run draws how likely each fault is, and some never come: a bug may need one fault often, and no other that would
/// hide it (Groce and others, *Swarm Testing*, 2012).
struct Odds {
  private var generator: SeededGenerator
  /// A fault happens once in so many times; 0 for never.
  private var rarities: [String: Int] = [:]

  /// What is drawn here does not change the order of tasks.
  init(seed: UInt64) { generator = SeededGenerator(seed: ~seed) }

  mutating func draw(_ name: String, of count: Int, isFault: Bool) -> Int {
    guard isFault else { return generator.index(below: count) }
    let rarity = rarities[name] ?? [0, 2, 4, 8, 16, 32][generator.index(below: 6)]
    rarities[name] = rarity
    return rarity > 0 && generator.index(below: rarity) == 0 ? 1 : 0
  }
}

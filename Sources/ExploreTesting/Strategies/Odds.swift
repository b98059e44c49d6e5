/// Draws the decisions of `choose` and `fault` for one run.
///
/// Each run draws a probability for each fault. The probability may be zero, because one fault may hide a bug that another,
/// frequent fault reveals (Groce and others, *Swarm Testing*, 2012).
struct Odds {
  private var generator: SeededGenerator
  /// The inverse of the probability of each fault, by name; 0 if the fault never happens.
  private var rarities: [String: Int] = [:]

  /// Creates a separate generator, so that chances do not change the schedule of tasks.
  init(seed: UInt64) { generator = SeededGenerator(seed: ~seed) }

  mutating func draw(_ name: String, of count: Int, isFault: Bool) -> Int {
    guard isFault else { return generator.index(below: count) }
    let rarity = rarities[name] ?? [0, 2, 4, 8, 16, 32][generator.index(below: 6)]
    rarities[name] = rarity
    return rarity > 0 && generator.index(below: rarity) == 0 ? 1 : 0
  }
}

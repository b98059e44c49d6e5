/// A random number generator that returns the same numbers for the same seed on every machine.
///
/// ```swift
/// var generator = SeededGenerator(seed: 42)
/// let rows = generator.array(count: 0...20) { $0.integer(in: 0...9) }
/// ```
///
/// The generator is xoshiro256** (Blackman and Vigna, 2018), and SplitMix64 fills its state. The standard library may change
/// how it uses a generator to pick a number from a range or to shuffle. The methods of this type never change, so a seed that
/// you write down today still gives the same values years later.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a generator whose numbers depend only on the seed.
  ///
  /// - Parameter seed: Any number; neighboring seeds give unrelated numbers.
  public init(seed: UInt64) {
    var mixer = seed
    state = (
      Self.splitMix(&mixer), Self.splitMix(&mixer), Self.splitMix(&mixer), Self.splitMix(&mixer)
    )
  }

  /// Returns the next 64 random bits.
  ///
  /// - Returns: A number whose bits are each 0 or 1 with equal probability.
  public mutating func next() -> UInt64 {
    let result = Self.rotate(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotate(state.3, by: 45)
    return result
  }

  private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }

  private static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

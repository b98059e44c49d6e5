extension SeededGenerator {
  /// Draws an integer from a range.
  ///
  /// - Parameter range: The integers to choose from.
  /// - Returns: An integer from the range. In a range of at most 2³² integers, each is about equally likely.
  public mutating func integer(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard span < .max else { return Int(truncatingIfNeeded: next()) }
    // The high half of a full product needs no rejection loop. The bias is below 2⁻³² for counts that fit in 32 bits.
    let offset = next().multipliedFullWidth(by: span + 1).high
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// Draws a Boolean value.
  ///
  /// - Parameter probability: The probability of `true`, from 0 to 1.
  /// - Returns: `true` with that probability.
  public mutating func bool(probability: Double = 0.5) -> Bool {
    Double(next() >> 11) * 0x1p-53 < probability
  }

  /// Draws an array of random length.
  ///
  /// - Parameters:
  ///   - count: The lengths to choose from; not negative.
  ///   - element: Draws one element.
  /// - Returns: The elements, in the order in which they were drawn.
  public mutating func array<Element>(
    count: ClosedRange<Int>, of element: (inout SeededGenerator) -> Element
  ) -> [Element] {
    precondition(
      count.lowerBound >= 0,
      "SeededGenerator.array(count:of:): needs lengths of at least 0; got \(count)")
    return (0..<integer(in: count)).map { _ in element(&self) }
  }

  /// Draws an index from `0..<count`; the count must be at least 1.
  mutating func index(below count: Int) -> Int { integer(in: 0...count - 1) }
}

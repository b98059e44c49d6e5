/// The distribution of a quantity, in bounded memory.
///
/// This is a histogram in which each power of two is divided into eight steps. The error of a quantile is at most one step.
struct Distribution: Sendable {
  private(set) var count = 0
  private(set) var total = 0
  private(set) var largest = 0
  private var steps: [Int] = []

  mutating func add(_ value: Int) {
    count += 1
    total += value
    largest = max(largest, value)
    let step = Self.step(of: value)
    if step >= steps.count { steps += Array(repeating: 0, count: step + 1 - steps.count) }
    steps[step] += 1
  }

  mutating func add(_ values: ArraySlice<Int>) {
    for value in values { add(value) }
  }

  mutating func add(_ other: Distribution) {
    count += other.count
    total += other.total
    largest = max(largest, other.largest)
    if other.steps.count > steps.count {
      steps += Array(repeating: 0, count: other.steps.count - steps.count)
    }
    for (step, count) in other.steps.enumerated() { steps[step] += count }
  }

  /// Returns the quantile for a share between 0 and 1.
  func quantile(_ share: Double) -> Int {
    var left = max(1, Int((Double(count) * share).rounded(.up)))
    for (step, count) in steps.enumerated() {
      left -= count
      if left <= 0 { return min(largest, Self.end(of: step)) }
    }
    return largest
  }

  /// Returns the step of a value.
  ///
  /// Each value below 16 has its own step.
  private static func step(of value: Int) -> Int {
    guard value >= 16 else { return max(0, value) }
    let power = Int.bitWidth - 1 - value.leadingZeroBitCount
    return 16 + (power - 4) * 8 + (value >> (power - 3) & 7)
  }

  /// The largest value of a step.
  private static func end(of step: Int) -> Int {
    guard step >= 16 else { return step }
    let power = (step - 16) / 8 + 4
    return (8 + (step - 16) % 8 + 1) << (power - 3) - 1
  }
}

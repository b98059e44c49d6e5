import Foundation
import Synchronization
import Testing

@testable import AsyncDiff

/// A number that counts additions and subtractions.
private struct Counted: Comparable, AdditiveArithmetic, Sendable {
  static let operations = Mutex(0)
  static let zero = Counted(value: 0)
  var value: Double

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }

  static func + (lhs: Self, rhs: Self) -> Self {
    operations.withLock { $0 += 1 }
    return Self(value: lhs.value + rhs.value)
  }

  static func - (lhs: Self, rhs: Self) -> Self {
    operations.withLock { $0 += 1 }
    return Self(value: lhs.value - rhs.value)
  }
}

@Suite struct LiveSummaryTests {
  @Test("D26: a floating-point sum recovers from infinity and NaN, and does not drift")
  func sums() {
    var measure = Measured<Double, Double> { $0 }
    measure.update(removing: [], adding: [1, 2, .infinity])
    #expect(measure.summary.sum == .infinity && measure.summary.maximum == .infinity)
    measure.update(removing: [.infinity], adding: [])
    #expect(measure.summary.sum == 3 && measure.summary.maximum == 2)
    measure.update(removing: [], adding: [.nan, 1])
    #expect(measure.summary.sum.isNaN && measure.summary.minimum == 1)
    measure.update(removing: [.nan, 1], adding: [])
    #expect(measure.summary.sum == 3 && measure.summary.count == 2)
    for number in 0..<10_000 {
      measure.update(removing: [], adding: [1e16 + Double(number)])
      measure.update(removing: [1e16 + Double(number)], adding: [])
    }
    #expect(measure.summary.sum == 3)
  }

  @Test(
    "D26: a sum with only a negative infinity is negative infinity, and a sum with both infinities is NaN"
  )
  func negativeInfinity() {
    var measure = Measured<Double, Double> { $0 }
    measure.update(removing: [], adding: [1, -.infinity])
    #expect(measure.summary.sum == -.infinity)
    measure.update(removing: [], adding: [.infinity])
    #expect(measure.summary.sum.isNaN)
    measure.update(removing: [-.infinity], adding: [])
    #expect(measure.summary.sum == .infinity)
  }

  @Test(
    "D26: a sum beyond a floating-point type's range is infinite, and becomes finite when values are removed"
  )
  func overflow() {
    var measure = Measured<Double, Double> { $0 }
    measure.update(removing: [], adding: [1e308, 1e308])
    #expect(measure.summary.sum == .infinity)
    measure.update(removing: [1e308], adding: [])
    #expect(measure.summary.sum == 1e308)
  }

  @Test(
    "D26: after any additions and removals, a floating-point sum is off by at most one unit in the last place"
  )
  func exactSums() {
    expectNoComplaint(seed: 26, rounds: 300) { random in
      var measure = Measured<Double, Double> { $0 }
      var values: [Double] = []
      let steps = random.integer(in: 1...30)
      for step in 0..<steps + 2 {
        var (removals, insertions): ([Double], [Double]) = ([], [])
        if step >= steps {
          // First the huge values are removed, then all other values except the tiny ones.
          let limit = step == steps ? 1_000 : 0.5
          removals = values.filter { abs($0) > limit }
          values.removeAll { abs($0) > limit }
        } else {
          for _ in 0..<random.integer(in: 0...3) where !values.isEmpty {
            removals.append(values.remove(at: random.integer(in: 0...(values.count - 1))))
          }
          for _ in 0..<random.integer(in: 0...3) {
            let exponent = [-48, 0, 25, 60][random.integer(in: 0...3)]
            insertions.append(Double(random.integer(in: -1_000...1_000)) * exp2(Double(exponent)))
          }
        }
        values += insertions
        measure.update(removing: removals, adding: insertions)
        let exact = values.reduce(Int128(0)) { $0 + Int128($1 * exp2(48)) }
        let (sum, expected) = (measure.summary.sum, Double(exact) / exp2(48))
        if abs(sum - expected) > expected.ulp { return "\(values): \(sum), \(expected)" }
      }
      return nil
    }
  }

  @Test("D26: a sum that fits into its type is finite, regardless of the order of its values")
  func largeSums() {
    var measure = Measured<Double, Double> { $0 }
    measure.update(removing: [], adding: [1e308, -1e308, 1e308, -1e308, 5])
    #expect(measure.summary.sum == 5)
    measure.update(removing: [-1e308, -1e308], adding: [])
    #expect(measure.summary.sum == .infinity)
    measure.update(removing: [1e308], adding: [])
    #expect(measure.summary.sum == 1e308)
  }

  @Test("D26: a huge value that is removed leaves no error in a floating-point sum")
  func outlier() {
    var measure = Measured<Double, Double> { $0 }
    measure.update(removing: [], adding: [Double](repeating: 1, count: 100))
    measure.update(removing: [], adding: [1e20])
    measure.update(removing: [1e20], adding: [])
    #expect(measure.summary.sum == 100)
  }

  /// An amount that wraps a floating-point number.
  private struct Money: Comparable, AdditiveArithmetic, Sendable {
    static let zero = Money(amount: 0)
    var amount: Double
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.amount < rhs.amount }
    static func + (lhs: Self, rhs: Self) -> Self { Self(amount: lhs.amount + rhs.amount) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(amount: lhs.amount - rhs.amount) }
  }

  /// A size that cannot be negative.
  private struct Size: Comparable, AdditiveArithmetic, Sendable {
    static let zero = Size(bytes: 0)
    var bytes: UInt
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes < rhs.bytes }
    static func + (lhs: Self, rhs: Self) -> Self { Self(bytes: lhs.bytes + rhs.bytes) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(bytes: lhs.bytes - rhs.bytes) }
  }

  @Test("D26: a sum of wrapped integers that fits before and after a change does not overflow")
  func nearTheLimit() {
    var sizes = Measured<UInt, Size> { Size(bytes: $0) }
    sizes.update(removing: [], adding: [.max - 1])
    sizes.update(removing: [.max - 1], adding: [.max])
    #expect(sizes.summary.sum == Size(bytes: .max))
  }

  @Test("D26: removing a value leaves no rounding error behind in a sum of amounts of any type")
  func anyType() {
    /// Adds and removes random values, and compares the sum with that of the values that remain.
    func check<Value: Comparable & AdditiveArithmetic & Sendable>(
      _ values: [Value], seed: UInt64
    ) {
      var random = SeededGenerator(seed: seed)
      var (measure, rest) = (Measured<Value, Value> { $0 }, [Value]())
      for _ in 0..<200 {
        if !rest.isEmpty, Bool.random(using: &random) {
          measure.update(
            removing: [rest.remove(at: Int.random(in: 0..<rest.count, using: &random))], adding: [])
        } else {
          let value = values[Int.random(in: 0..<values.count, using: &random)]
          measure.update(removing: [], adding: [value])
          rest.append(value)
        }
        var fresh = Measured<Value, Value> { $0 }
        fresh.update(removing: [], adding: rest)
        #expect(measure.summary.sum == fresh.summary.sum, "seed \(seed)")
      }
    }
    for seed in 1...20 {
      check([1e12, -1e12, 1_234.56, 0.01].map { Decimal($0) }, seed: UInt64(seed))
      check([1e16, -1e16, 1, 0.5].map { Money(amount: $0) }, seed: UInt64(seed))
      check([0, 1, 1_000].map { Size(bytes: $0) }, seed: UInt64(seed))
      check([0.1, 1, 1e9].map { Duration.seconds($0) }, seed: UInt64(seed))
    }
  }

  @Test(
    "D26: infinity and NaN do not make a summary slower", .serialized,
    arguments: [.infinity, .nan, 1])
  func notFinite(_ odd: Double) {
    var measure = Measured<Double, Counted> { Counted(value: $0) }
    measure.update(removing: [], adding: [odd] + (0..<10_000).map { Double($0) })
    Counted.operations.withLock { $0 = 0 }
    for number in 0..<10 { measure.update(removing: [Double(number)], adding: [-1]) }
    #expect(Counted.operations.withLock { $0 } < 400)
    let sum = measure.summary.sum.value
    #expect(odd.isFinite ? sum == 1 + 49_995_000 - 45 - 10 : !sum.isFinite)
  }

  @Test(
    "D26: integers whose sum overflows still have a maximum, and their sum is exact once it fits into its type"
  )
  func smallIntegers() {
    var bytes = Measured<Int, UInt8> { UInt8($0) }
    bytes.update(removing: [], adding: [Int](repeating: 40, count: 7))
    #expect(bytes.summary.maximum == 40 && bytes.summary.count == 7)
    bytes.update(removing: [40], adding: [])
    #expect(bytes.summary.sum == 240)
    var signed = Measured<Int, Int8> { Int8($0) }
    signed.update(removing: [], adding: [100, 100, -100])
    #expect(signed.summary.sum == 100)
    // An intermediate result of the update is out of range.
    signed.update(removing: [-100], adding: [-90])
    #expect(signed.summary.sum == 110)
    signed.update(removing: [100, 100], adding: [-100, -100])
    #expect(signed.summary.minimum == -100)
    signed.update(removing: [-100, -100], adding: [5])
    #expect(signed.summary.sum == -85)
  }
}

extension LiveSummaryTests {
  @Test("D26: a sum next to the largest finite value is exact, in any order of the values")
  func nextToTheLimit() {
    let (most, small) = (Double.greatestFiniteMagnitude, -0x1.8p971)
    for values in [[small, most], [most, small], [-small, -most], [-most, -small]] {
      var measure = Measured<Double, Double> { $0 }
      for value in values { measure.update(removing: [], adding: [value]) }
      #expect(measure.summary.sum == values[0] + values[1])
      measure.update(removing: [values[1]], adding: [])
      #expect(measure.summary.sum == values[0])
      var both = Measured<Double, Double> { $0 }
      both.update(removing: [], adding: values)
      #expect(both.summary.sum == values[0] + values[1])
      both.update(removing: values, adding: [])
      #expect(both.summary.sum == 0)
    }
  }
}

/// A measure that assigns a tag to each row.
///
/// If rows are equal, the last one added is removed first.
private struct Measured<Row: Sendable, Value: Comparable & AdditiveArithmetic & Sendable> {
  private var measure: Measure<Row, Value>
  private var tags: [String: [Int]] = [:]
  private var next = 0

  init(_ value: @escaping @Sendable (Row) -> Value) { measure = Measure(value) }

  var summary: LiveSummary<Value> { measure.summary }

  mutating func update(removing removals: [Row], adding insertions: [Row]) {
    let removedTags = removals.map { tags["\($0)"]?.popLast() ?? -1 }
    let insertedTags = insertions.map { row in
      next += 1
      tags["\(row)", default: []].append(next)
      return next
    }
    let isFound = measure.update(
      removing: (removals, removedTags), adding: (insertions, insertedTags))
    #expect(isFound)
  }
}

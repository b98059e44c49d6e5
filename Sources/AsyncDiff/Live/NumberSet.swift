/// A set of integers: a bitmap if they are close together, otherwise a hash set.
@usableFromInline
struct NumberSet: Sendable {
  @usableFromInline let first: Int
  @usableFromInline let bits: [UInt64]
  @usableFromInline let scattered: Set<Int>

  init(_ numbers: some Collection<Int>) {
    first = numbers.min() ?? 0
    let span = (numbers.max() ?? 0) - first
    guard span / 64 <= numbers.count else {
      (bits, scattered) = ([], Set(numbers))
      return
    }
    var bits = [UInt64](repeating: 0, count: span / 64 + 1)
    for number in numbers { bits[(number - first) / 64] |= 1 << ((number - first) % 64) }
    (self.bits, scattered) = (numbers.isEmpty ? [] : bits, [])
  }

  @inlinable
  func contains(_ number: Int) -> Bool {
    if bits.isEmpty { return !scattered.isEmpty && scattered.contains(number) }
    let place = number - first
    return place >= 0 && place / 64 < bits.count && bits[place / 64] & 1 << (place % 64) != 0
  }
}

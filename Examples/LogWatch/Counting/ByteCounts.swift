#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Counts the texts in a buffer without creating a string for each occurrence.
///
/// This is an open-addressing hash table with linear probing. Only `counts(in:)` creates strings, one for each distinct text.
struct ByteCounts {
  private struct Slot {
    var hash: UInt32 = 0
    var length: UInt32 = 0
    var start = 0
    var count = 0
    /// The number of distinct texts that were counted before this text.
    var number: UInt32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var used = 0
  /// The counts of texts that are not ranges of the buffer.
  private var made: [String: (count: Int, number: UInt32)] = [:]
  /// The number of distinct texts.
  var count: Int { used + made.count }

  /// Counts a text.
  ///
  /// - Returns: The number of the text, which is its index in `counts(in:)`.
  @discardableResult
  mutating func add(_ text: Text, in buffer: UnsafeBufferPointer<UInt8>) -> UInt32 {
    switch text {
    case .made(let string):
      let number = made[string]?.number ?? UInt32(count)
      made[string, default: (0, number)].count += 1
      return number
    case .part(let range):
      guard let base = buffer.baseAddress else { return 0 }
      return add(base, range)
    }
  }

  /// Returns each distinct text with its count, at the index that `add` returned for it.
  func counts(in bytes: [UInt8]) -> [(key: String, count: Int)] {
    var counts = Array(repeating: (key: "", count: 0), count: count)
    for slot in slots where slot.count > 0 {
      let text = bytes[slot.start..<slot.start + Int(slot.length)]
      counts[Int(slot.number)] = (String(decoding: text, as: UTF8.self), slot.count)
    }
    for (key, value) in made { counts[Int(value.number)] = (key, value.count) }
    return counts
  }

  private mutating func add(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(base + range.lowerBound, range.count)
    var index = Int(hash) & (slots.count - 1)
    while slots[index].count > 0 {
      if slots[index].hash == hash, Int(slots[index].length) == range.count,
        memcmp(base + slots[index].start, base + range.lowerBound, range.count) == 0
      {
        slots[index].count += 1
        return slots[index].number
      }
      index = (index + 1) & (slots.count - 1)
    }
    let number = UInt32(count)
    slots[index] = Slot(
      hash: hash, length: UInt32(range.count), start: range.lowerBound, count: 1, number: number)
    used += 1
    if used * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.count > 0 {
      var index = Int(slot.hash) & (slots.count - 1)
      while slots[index].count > 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }

  /// A random number that makes hashes unpredictable, so that nobody can fill a log with texts that collide.
  private static let secret = UInt64.random(in: 0...UInt64.max) | 1

  /// Hashes eight bytes at a time by multiplying and folding.
  private static func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
    let raw = UnsafeRawPointer(bytes)
    var hash = secret ^ UInt64(count)
    var offset = 0
    while offset + 8 <= count {
      hash = fold(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    hash = fold(hash ^ rest)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: secret ^ 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// The bytes of two states: a value with the same bytes in both has not changed.
///
/// This holds for every type: two values with the same bytes are copies of each other. The reverse
/// does not hold, so `==` decides where bytes differ.
@safe struct BytePair {
  let old: UnsafeRawPointer
  let new: UnsafeRawPointer
  /// The bounds of the bytes that differ: the first such word starts at `lower`, the last one ends
  /// at `upper`.
  private let (lower, upper): (Int, Int)

  init(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, count: Int) {
    unsafe (self.old, self.new) = (old, new)
    var (start, end) = (0, count)
    while start + 8 <= end, unsafe Self.word(old, start) == Self.word(new, start) { start += 8 }
    while start + 8 <= end, unsafe Self.word(old, end - 8) == Self.word(new, end - 8) { end -= 8 }
    (lower, upper) = (start, max(end, 1))
  }

  /// Whether a value that lies in these words may have changed.
  func mayDiffer(in words: OccupiedWords) -> Bool {
    lower < upper ? words.intersects(lower...upper - 1) : words.isAnywhere
  }

  /// Whether the value of this place may have changed.
  func mayDiffer(in place: PathPlace) -> Bool {
    guard place.start < upper, lower < place.end else { return false }
    if place.end == .max { return true }
    var offset = place.start
    while offset + 8 <= place.end {
      if unsafe Self.word(old, offset) != Self.word(new, offset) { return true }
      offset += 8
    }
    while offset < place.end {
      if unsafe old.load(fromByteOffset: offset, as: UInt8.self)
        != new.load(fromByteOffset: offset, as: UInt8.self)
      {
        return true
      }
      offset += 1
    }
    return false
  }

  private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

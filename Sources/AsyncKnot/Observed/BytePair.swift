/// Two states, byte by byte: a value whose bytes are the same has not changed.
///
/// That holds for every type: two values of the same bytes are copies of each other. The reverse does
/// not, so where bytes differ `==` has the last word.
@safe struct BytePair {
  let old: UnsafeRawPointer
  let new: UnsafeRawPointer
  /// From the first byte that differs to behind the last one.
  private let range: Range<Int>

  init(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, count: Int) {
    unsafe (self.old, self.new) = (old, new)
    var (start, end) = (0, count)
    while start + 8 <= end, unsafe Self.word(old, start) == Self.word(new, start) { start += 8 }
    while start + 8 <= end, unsafe Self.word(old, end - 8) == Self.word(new, end - 8) { end -= 8 }
    range = start..<end
  }

  /// Whether a value that lies there may have changed.
  @inline(__always)
  func mayDiffer(in place: PathPlace) -> Bool {
    if place.end < 0 { return true }
    guard place.start < range.upperBound, range.lowerBound < place.end else { return false }
    return bytesDiffer(in: place)
  }

  private func bytesDiffer(in place: PathPlace) -> Bool {
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

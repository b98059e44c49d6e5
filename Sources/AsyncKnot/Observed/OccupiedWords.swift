/// The words of a state in which some tracked value lies.
///
/// Most writes change words in which none does. This tells so without a look at each path.
struct OccupiedWords {
  /// A bit for each word of 8 bytes.
  private var bits: [UInt64] = []
  /// Whether some value may change even if no byte does.
  private(set) var isAnywhere = false

  /// Adds the words of a value.
  ///
  /// - Complexity: O(words of the value).
  mutating func insert(_ place: PathPlace) {
    guard place.end < .max else { return isAnywhere = true }
    guard place.start < place.end else { return }
    for word in place.start / 8...(place.end - 1) / 8 {
      while bits.count <= word / 64 { bits.append(0) }
      bits[word / 64] |= 1 << UInt64(word % 64)
    }
  }

  mutating func removeAll() {
    bits.removeAll(keepingCapacity: true)
    isAnywhere = false
  }

  /// Whether a value lies in a word with one of these bytes.
  ///
  /// - Parameter bytes: The offsets of the bytes in the state.
  /// - Returns: Whether one does.
  func intersects(_ bytes: ClosedRange<Int>) -> Bool {
    if isAnywhere { return true }
    let (first, last) = (bytes.lowerBound / 8, bytes.upperBound / 8)
    var index = first / 64
    while index <= last / 64, index < bits.count {
      var word = bits[index]
      if index == first / 64 { word &= .max << UInt64(first % 64) }
      if index == last / 64 { word &= .max >> UInt64(63 - last % 64) }
      if word != 0 { return true }
      index += 1
    }
    return false
  }
}

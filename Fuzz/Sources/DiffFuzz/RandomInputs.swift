/// Generates random inputs of each kind, without libFuzzer.
struct RandomInputs {
  private static let kinds: [(name: String, byte: UInt8)] = [
    ("lists with few identifiers", 8), ("lists with many identifiers", 254),
    ("sections with duplicates", 1), ("sections with unique items", 3), ("trees", 5), ("drags", 7),
  ]

  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Checks `count` inputs of each kind, and traps at the first complaint.
  func play(_ count: UInt64) {
    var inputs = self
    for kind in Self.kinds {
      for number in 0..<count {
        let bytes = inputs.draw(kind.byte)
        let said = bytes.withUnsafeBufferPointer { complaint(about: $0[...]) }
        if let said { fatalError("\(kind.name), input \(number): \(said): \(bytes)") }
      }
      print("\(count) \(kind.name): no complaint")
    }
  }

  /// Generates two halves with a 0 between them.
  ///
  /// In a third of the inputs, the second half is an edited copy of the first.
  private mutating func draw(_ kind: UInt8) -> [UInt8] {
    let length = 2 + Int(next() % 30)
    let first = (0..<length).map { _ in byte() }
    var second = next() % 3 == 0 ? first : (0..<2 + Int(next() % 30)).map { _ in byte() }
    for _ in 0..<next() % 5 where !second.isEmpty {
      let place = Int(next() % UInt64(second.count))
      switch next() % 3 {
      case 0: second.remove(at: place)
      case 1: second.insert(byte(), at: place)
      default: second.swapAt(place, Int(next() % UInt64(second.count)))
      }
    }
    return [kind] + (kind == 7 ? [byte(), byte()] : []) + first + [0] + second
  }

  /// Generates a byte that is never 0, and often starts a section.
  private mutating func byte() -> UInt8 {
    let byte = UInt8(truncatingIfNeeded: next())
    return next() % 5 == 0 ? max(8, byte / 8 * 8) : max(1, byte)
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

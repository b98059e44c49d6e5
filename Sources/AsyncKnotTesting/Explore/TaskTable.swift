/// The tasks of one run, in the order in which they came.
///
/// A task is known by its number, which the runtime never gives twice. What it is called in traces and
/// files depends only on who made it and as the how manieth: its key is the same in each run that
/// makes it, in whatever order the others run.
struct TaskTable {
  struct Entry {
    let number: UInt64
    let key: UInt64
    let parent: Int
    var children = 0
    /// How many of its jobs have run.
    var steps = 0
  }

  private(set) var entries: [Entry] = []
  /// Places in `entries`, by number; −1 where there is none.
  ///
  /// Its size is a power of two.
  private var slots = [Int32](repeating: -1, count: 32)

  /// The place of a task, which it gets when it is first seen.
  mutating func ordinal(of number: UInt64, madeBy parent: Int) -> Int {
    var slot = Int(truncatingIfNeeded: number) & (slots.count - 1)
    while slots[slot] >= 0 {
      let ordinal = Int(slots[slot])
      if entries[ordinal].number == number { return ordinal }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(entries.count)
    entries.append(Entry(number: number, key: key(ofChildOf: parent), parent: parent))
    if entries.count * 2 > slots.count { grow() }
    return entries.count - 1
  }

  /// Makes a number another name of a task that is there.
  mutating func alias(_ number: UInt64, to ordinal: Int) {
    var slot = Int(truncatingIfNeeded: number) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(ordinal)
  }

  mutating func countStep(of ordinal: Int) { entries[ordinal].steps += 1 }

  /// The number of the root is its own key.
  private mutating func key(ofChildOf parent: Int) -> UInt64 {
    guard parent >= 0 else { return UInt64(entries.count) &+ 1 }
    entries[parent].children += 1
    let seed = entries[parent].key &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(entries[parent].children)
    return (seed ^ (seed >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (ordinal, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.number) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(ordinal)
    }
  }
}

/// The tasks of one run, in the order in which they came.
///
/// The runtime gives each task of the process another number. Traces and files need a name that is the same in
/// each run: the key of a task depends only on the key of the task that made it, and on how many tasks that
/// one had made before.
struct TaskTable {
  struct Entry {
    let number: UInt64
    let key: UInt64
    var children = 0
    /// How many of its jobs have run.
    var steps = 0
    /// How many preemption points its job has passed, and how many points at which it may be interrupted.
    var points = (preemption: 0, interruption: 0, chance: 0)
  }

  private(set) var entries: [Entry] = []
  private var ordinals: [UInt64: Int] = [:]

  /// The place of a task in `entries`; `nil` for one that has not come.
  func ordinal(of number: UInt64) -> Int? { ordinals[number] }

  /// The place of a task in `entries`; a task that is new is added.
  mutating func ordinal(of number: UInt64, madeBy parent: Int) -> Int {
    if let known = ordinals[number] { return known }
    ordinals[number] = entries.count
    entries.append(Entry(number: number, key: key(ofChildOf: parent)))
    return entries.count - 1
  }

  mutating func countStep(of ordinal: Int) {
    entries[ordinal].steps += 1
    entries[ordinal].points = (0, 0, 0)
  }

  /// Counts a point that a job of a task passes; returns its number, as in ``ForcedSwitch/Moment``.
  mutating func countPoint(of ordinal: Int, isInterruption: Bool) -> Int {
    if isInterruption {
      entries[ordinal].points.interruption += 1
      return entries[ordinal].points.interruption << 16 | ForcedSwitch.Moment.interruption
    }
    entries[ordinal].points.preemption += 1
    return entries[ordinal].points.preemption << 16
  }

  /// Counts a chance that a job of a task takes; returns its number, as in ``ForcedSwitch/Moment``.
  mutating func countChance(of ordinal: Int) -> Int {
    entries[ordinal].points.chance += 1
    return entries[ordinal].points.chance | ForcedSwitch.Moment.chance
  }

  /// The key of a task without a maker is the number of tasks before it.
  private mutating func key(ofChildOf parent: Int) -> UInt64 {
    guard parent >= 0 else { return UInt64(entries.count) &+ 1 }
    entries[parent].children += 1
    let seed = entries[parent].key &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(entries[parent].children)
    return (seed ^ (seed >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }
}

/// The tasks of one run, in the order in which they arrived.
///
/// The runtime's number for a task is unique in the process, but traces and files need a name that is the same in each run. So
/// the key of a task with a creator depends only on the key of the creator, and on how many tasks the creator had created before.
struct TaskTable {
  struct Entry {
    let number: UInt64
    let key: UInt64
    var children = 0
    /// The number of jobs that the task has caused and that are not tasks.
    var parts: UInt64 = 0
    /// The number of the task's jobs that have run.
    var steps = 0
    /// How many preemption points, interruption points and chances the task's current job has passed.
    var points = (preemption: 0, interruption: 0, chance: 0)
  }

  private(set) var entries: [Entry] = []
  private var ordinals: [UInt64: Int] = [:]

  /// The index of a task in `entries`; `nil` if the task has not arrived.
  func ordinal(of number: UInt64) -> Int? { ordinals[number] }

  /// Returns the index of a task in `entries`, and adds the task if it is new.
  mutating func ordinal(of number: UInt64, madeBy parent: Int) -> Int {
    if let known = ordinals[number] { return known }
    ordinals[number] = entries.count
    entries.append(Entry(number: number, key: key(ofChildOf: parent)))
    return entries.count - 1
  }

  /// Counts a job that the task has caused and that is not a task; returns its number.
  mutating func countPart(of ordinal: Int) -> UInt64 {
    entries[ordinal].parts += 1
    return entries[ordinal].parts
  }

  /// Returns a job's key, which is the same in every run.
  ///
  /// A task's own job has the key of its task.
  func key(of job: ReadyJob) -> UInt64 {
    entries[job.task].key &+ job.part &* 0xD6E8_FEB8_6659_FD93
  }

  mutating func countStep(of ordinal: Int) {
    entries[ordinal].steps += 1
    entries[ordinal].points = (0, 0, 0)
  }

  /// Counts a point that a task's job passes; returns its number, as in ``ForcedSwitch/Moment``.
  mutating func countPoint(of ordinal: Int, isInterruption: Bool) -> Int {
    if isInterruption {
      entries[ordinal].points.interruption += 1
      return entries[ordinal].points.interruption << 16 | ForcedSwitch.Moment.interruption
    }
    entries[ordinal].points.preemption += 1
    return entries[ordinal].points.preemption << 16
  }

  /// Counts a decision of `choose` or `fault` in a task's job; returns its number, as in ``ForcedSwitch/Moment``.
  mutating func countChance(of ordinal: Int) -> Int {
    entries[ordinal].points.chance += 1
    return entries[ordinal].points.chance | ForcedSwitch.Moment.chance
  }

  /// Without a parent, the key is the number of earlier tasks plus 1.
  private mutating func key(ofChildOf parent: Int) -> UInt64 {
    guard parent >= 0 else { return UInt64(entries.count) &+ 1 }
    entries[parent].children += 1
    let seed = entries[parent].key &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(entries[parent].children)
    return (seed ^ (seed >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }
}

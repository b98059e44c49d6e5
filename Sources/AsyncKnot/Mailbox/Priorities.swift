/// A set of task priorities: those of the runners that will look for messages.
///
/// It compares the raw values, as the queues of a mailbox do. If it took two close priorities for
/// one, a sender might count on a runner that must not take its message.
@usableFromInline
struct Priorities: Sendable {
  /// Bit `n` stands for the priority `n`.
  @usableFromInline var low: UInt128 = 0
  /// Bit `n` stands for the priority `128 + n`.
  @usableFromInline var high: UInt128 = 0
  /// The highest priority of the set; -1 if the set is empty.
  @usableFromInline var highest = -1

  @inlinable
  init() {}

  /// Whether the set has a priority that is at least as high.
  @inlinable
  func reach(_ priority: TaskPriority) -> Bool { highest >= Int(priority.rawValue) }

  /// Whether the set has a higher priority.
  @inlinable
  func exceed(_ priority: TaskPriority) -> Bool { highest > Int(priority.rawValue) }

  @usableFromInline
  mutating func insert(_ priority: TaskPriority) {
    let value = Int(priority.rawValue)
    if value < 128 { low |= 1 << value } else { high |= 1 << (value - 128) }
    highest = max(highest, value)
  }

  @usableFromInline
  mutating func remove(_ priority: TaskPriority) {
    let value = Int(priority.rawValue)
    if value < 128 { low &= ~(1 << value) } else { high &= ~(1 << (value - 128)) }
    highest = high == 0 ? 127 - low.leadingZeroBitCount : 255 - high.leadingZeroBitCount
  }
}

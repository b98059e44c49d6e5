/// A set of task priorities: those of the runners that will look for messages.
@usableFromInline
struct Priorities: Sendable {
  /// Bit `n` stands for the priorities from `4n` to `4n + 3`; Swift's named priorities are further
  /// apart.
  @usableFromInline var bits: UInt64 = 0

  @inlinable
  init() {}

  /// Whether the set has a priority that is at least as high.
  @inlinable
  func reach(_ priority: TaskPriority) -> Bool { bits >> Self.place(of: priority) != 0 }

  /// Whether the set has a higher priority.
  @inlinable
  func exceed(_ priority: TaskPriority) -> Bool { bits >> Self.place(of: priority) > 1 }

  @inlinable
  mutating func insert(_ priority: TaskPriority) { bits |= 1 << Self.place(of: priority) }

  @inlinable
  mutating func remove(_ priority: TaskPriority) { bits &= ~(1 << Self.place(of: priority)) }

  @inlinable
  static func place(of priority: TaskPriority) -> UInt64 { UInt64(priority.rawValue) >> 2 }
}

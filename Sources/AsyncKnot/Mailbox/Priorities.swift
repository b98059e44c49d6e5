/// A set of task priorities: at which of them a runner will look for messages.
@usableFromInline
struct Priorities: Sendable {
  /// Bit `n` stands for the priorities from `4n` to `4n + 3`; Swift's own are further apart than that.
  @usableFromInline var bits: UInt64 = 0

  @inlinable
  init() {}

  /// Whether it has a priority that is at least as high.
  @inlinable
  func reach(_ priority: TaskPriority) -> Bool { bits >> Self.place(of: priority) != 0 }

  /// Whether it has a priority that is higher.
  @inlinable
  func exceed(_ priority: TaskPriority) -> Bool { bits >> Self.place(of: priority) > 1 }

  @inlinable
  mutating func insert(_ priority: TaskPriority) { bits |= 1 << Self.place(of: priority) }

  @inlinable
  mutating func remove(_ priority: TaskPriority) { bits &= ~(1 << Self.place(of: priority)) }

  @inlinable
  static func place(of priority: TaskPriority) -> UInt64 { UInt64(priority.rawValue) >> 2 }
}

/// The members of a task bag: the state machine behind `TaskBag`, kept under its lock.
///
/// A task gets its place before it is created, because the task may end, or the bag be cancelled,
/// before the creating code has stored the task. No transition cancels or releases anything; the
/// caller does so after it has released the lock.
struct BagMembers: Sendable {
  /// The state of one task.
  enum Member: Sendable {
    /// The task is being created. `cancel` is called if the bag is cancelled before the task is
    /// stored.
    case starting(cancel: @Sendable () -> Void)
    /// The task has ended before the creating code has stored it.
    case ended
    /// The task runs.
    case running(cancel: @Sendable () -> Void, wait: @Sendable () async -> Void)

    func cancel() {
      switch self {
      case .starting(let cancel), .running(let cancel, _): cancel()
      case .ended: break
      }
    }

    func wait() async {
      switch self {
      case .running(_, let wait): await wait()
      // The creating code is about to store the task, or to remove it.
      case .starting, .ended: await Task.yield()
      }
    }
  }

  private var members = SlotTable<Member>()

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  /// All members, each with its ticket.
  var all: [(ticket: UInt64, member: Member)] {
    members.slots.compactMap { slot in slot.element.map { (slot.ticket, $0) } }
  }

  /// Reserves a place for a task that is about to be created, and returns its ticket.
  mutating func begin(cancelledEarly: @escaping @Sendable () -> Void) -> UInt64 {
    members.insert(.starting(cancel: cancelledEarly))
  }

  /// Stores a task that was created.
  ///
  /// - Returns: `false` if the bag was cancelled in the meantime and the ticket is gone.
  mutating func start(_ ticket: UInt64, as member: Member) -> Bool {
    switch members[ticket] {
    case .starting: _ = members.replace(ticket, with: member)
    case .ended: _ = members.remove(ticket)
    case .running, nil: return false
    }
    return true
  }

  /// Removes a task that has ended; one that is not stored yet is marked as ended.
  ///
  /// - Returns: The removed member, which must be released outside the lock.
  mutating func end(_ ticket: UInt64) -> Member? {
    guard case .starting = members[ticket] else { return members.remove(ticket) }
    _ = members.replace(ticket, with: .ended)
    return nil
  }

  /// Removes a task, whatever its state.
  mutating func remove(_ ticket: UInt64) -> Member? { members.remove(ticket) }

  /// Removes and returns all tasks.
  mutating func removeAll() -> [Member] {
    defer { members.removeAll() }
    return members.elements
  }
}

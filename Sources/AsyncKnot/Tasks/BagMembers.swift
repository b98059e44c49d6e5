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
    /// The bag was cancelled while the task is being created; the creating code will cancel it.
    case cancelledEarly
    /// The task has ended before the creating code has stored it.
    case ended
    /// The task runs.
    case running(cancel: @Sendable () -> Void, wait: @Sendable () async -> Void)

    func cancel() {
      switch self {
      case .starting(let cancel), .running(let cancel, _): cancel()
      case .cancelledEarly, .ended: break
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
  /// - Returns: `false` if the bag was cancelled in the meantime: the caller must cancel the task.
  mutating func start(_ ticket: UInt64, as member: Member) -> Bool {
    switch members[ticket] {
    case .starting: _ = members.replace(ticket, with: member)
    case .cancelledEarly:
      _ = members.replace(ticket, with: member)
      return false
    case .ended: _ = members.remove(ticket)
    // A task is stored once, by the code that has begun its ticket.
    case .running, nil: break
    }
    return true
  }

  /// Removes a task that has ended; one that is not stored yet is marked as ended.
  ///
  /// - Returns: The member that was removed or marked, which must be released outside the lock.
  mutating func end(_ ticket: UInt64) -> Member? {
    let member = members[ticket]
    switch member {
    case .starting, .cancelledEarly: _ = members.replace(ticket, with: .ended)
    case .running, .ended, nil: _ = members.remove(ticket)
    }
    return member
  }

  /// The member of a ticket; `nil` if it has left.
  subscript(ticket: UInt64) -> Member? { members[ticket] }

  /// Removes a task, whatever its state.
  mutating func remove(_ ticket: UInt64) -> Member? { members.remove(ticket) }

  /// Removes all tasks; a task that is being created keeps its place and is marked as cancelled.
  ///
  /// - Returns: All members as they were, each with its ticket.
  mutating func cancelAll() -> [(ticket: UInt64, member: Member)] {
    let all = all
    var created: [(UInt64, Member)] = []
    for (ticket, member) in all {
      switch member {
      case .running: break
      case .starting, .cancelledEarly: created.append((ticket, .cancelledEarly))
      case .ended: created.append((ticket, .ended))
      }
    }
    members.keepOnly(created)
    return all
  }
}

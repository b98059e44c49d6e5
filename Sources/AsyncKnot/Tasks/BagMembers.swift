/// What a bag knows of its tasks: the state machine behind `TaskBag`.
///
/// A task is known before it is created, because it may end, or the bag be cancelled, before its creator
/// has got hold of it. No transition cancels or releases anything; the caller does so without the lock.
struct BagMembers: Sendable {
  /// What the bag knows of one task.
  enum Member: Sendable {
    /// The task is being created. `cancel` tells its creator's code that the bag was cancelled meanwhile.
    case starting(cancel: @Sendable () -> Void)
    /// The task has ended before its creator could hand it to the bag.
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
      // Its creator is about to hand it over.
      case .starting: await Task.yield()
      case .ended: break
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

  /// Makes room for a task that is about to be created.
  mutating func begin(cancelledEarly: @escaping @Sendable () -> Void) -> UInt64 {
    members.insert(.starting(cancel: cancelledEarly))
  }

  /// Takes a task over that was created.
  ///
  /// - Returns: `false` when the bag was cancelled in the meantime, and does not know the ticket any more.
  mutating func start(_ ticket: UInt64, as member: Member) -> Bool {
    switch members[ticket] {
    case .starting: _ = members.replace(ticket, with: member)
    case .ended: _ = members.remove(ticket)
    case .running, nil: return false
    }
    return true
  }

  /// Notes that a task has ended.
  ///
  /// - Returns: The member that was taken out, which must not die under the lock.
  mutating func end(_ ticket: UInt64) -> Member? {
    guard case .starting = members[ticket] else { return members.remove(ticket) }
    _ = members.replace(ticket, with: .ended)
    return nil
  }

  /// Takes a task out that somebody else ends.
  mutating func remove(_ ticket: UInt64) -> Member? { members.remove(ticket) }

  /// Takes all tasks out.
  mutating func removeAll() -> [Member] {
    defer { members.removeAll() }
    return members.elements
  }
}

import Synchronization

/// Tasks that end together: cancelled by `cancel()`, or when the bag goes.
///
/// ```swift
/// let bag = TaskBag()
/// ticks.pipe(to: node, in: bag) { tick, state in state.count = tick }
/// bag.cancel()   // the bag stays usable
/// ```
///
/// A task that finishes leaves the bag. Every method may be called from any thread.
public final class TaskBag: Sendable {
  /// What the bag knows of one task.
  private enum Member: Sendable {
    /// The task is being created; whoever creates it may want to know at once that it is to end.
    case starting(cancel: @Sendable () -> Void)
    /// The task has ended before it was known here.
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
      if case .running(_, let wait) = self { await wait() }
    }
  }

  /// One task in a bag.
  public struct Entry: Sendable {
    fileprivate let end: @Sendable () -> Void

    /// Cancels the task and takes it out of the bag; the second time it does nothing.
    public func cancel() { end() }
  }

  private let members = Mutex(SlotTable<Member>())

  /// Creates an empty bag.
  public init() {}

  deinit { cancel() }

  /// Whether no task is left.
  public var isEmpty: Bool { members.withLock { $0.isEmpty } }

  /// How many tasks are left.
  package var count: Int { members.withLock { $0.count } }

  /// Adds a task that already runs; it leaves the bag soon after it has finished.
  ///
  /// - Parameter task: The task to be cancelled with the bag.
  /// - Returns: The entry that ends this task alone.
  @discardableResult
  public func add<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) -> Entry {
    let ticket = members.withLock { $0.insert(.starting {}) }
    let entry = started(task, at: ticket)
    Spawn.task { [weak self] in
      _ = await task.result
      self?.remove(ticket)
    }
    return entry
  }

  /// Starts a task in the bag; it leaves the bag as the last thing it does.
  ///
  /// Like `Task`, it runs on the isolation of the code that starts it.
  ///
  /// - Parameter operation: What the task does. It should hold nothing that owns the bag.
  /// - Returns: The entry that ends this task alone.
  @discardableResult
  public func add(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    let ticket = members.withLock { $0.insert(.starting {}) }
    let task = Spawn.task { [weak self] in
      await operation()
      self?.end(ticket)
    }
    return started(task, at: ticket)
  }

  /// Starts a task in the bag without the task-local values of whoever starts it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: What the task does.
  ///   - cancelledEarly: Called if the bag is cancelled between creating the task and storing it. Then the
  ///     task is cancelled, too, but only after `cancel()` may have returned.
  /// - Returns: The entry that ends this task alone.
  @usableFromInline
  func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void,
    cancelledEarly: @escaping @Sendable () -> Void
  ) -> Entry {
    let ticket = members.withLock { $0.insert(.starting(cancel: cancelledEarly)) }
    let task = Spawn.apart(priority: priority) { [weak self] in
      await operation()
      self?.end(ticket)
    }
    return started(task, at: ticket)
  }

  /// Starts a task in the bag that runs at once, up to its first suspension.
  func addImmediate(_ operation: sending @escaping () async -> Void) {
    let ticket = members.withLock { $0.insert(.starting {}) }
    let task = Spawn.immediate { [weak self] in
      await operation()
      self?.end(ticket)
    }
    _ = started(task, at: ticket)
  }

  /// Cancels every task.
  ///
  /// The bag is empty then, and can be used again.
  public func cancel() {
    for member in takeAll() { member.cancel() }
  }

  /// Cancels every task and waits until all of them have ended.
  ///
  /// A task must not wait for its own bag: it would wait for itself.
  public func cancelAndWait() async {
    let members = takeAll()
    for member in members { member.cancel() }
    for member in members { await member.wait() }
  }

  /// Tells the bag of a task that was started for a ticket.
  private func started<Success: Sendable, Failure: Error>(
    _ task: Task<Success, Failure>, at ticket: UInt64
  ) -> Entry {
    Spawn.preemptionPoint()
    let member = Member.running(cancel: { task.cancel() }, wait: { _ = await task.result })
    let isTaken = members.withLock { members in
      switch members[ticket] {
      case .starting: _ = members.replace(ticket, with: member)
      case .ended: _ = members.remove(ticket)
      case .running, nil: return true
      }
      return false
    }
    guard !isTaken else {
      // The bag was cancelled in between. It may have to wait for this task the next time.
      task.cancel()
      return add(task)
    }
    return Entry { [weak self] in
      task.cancel()
      self?.remove(ticket)
    }
  }

  /// Takes a task that has ended out, or notes that it has where the bag does not know it yet.
  private func end(_ ticket: UInt64) {
    let member = members.withLock { members -> Member? in
      guard case .starting = members[ticket] else { return members.remove(ticket) }
      _ = members.replace(ticket, with: .ended)
      return nil
    }
    withExtendedLifetime(member) {}
  }

  private func remove(_ ticket: UInt64) {
    let member = members.withLock { $0.remove(ticket) }
    withExtendedLifetime(member) {}
  }

  private func takeAll() -> [Member] {
    members.withLock { members in
      defer { members.removeAll() }
      return members.elements
    }
  }
}

import Synchronization

/// Tasks that end together: `cancel()` cancels them, and so does the release of the bag.
///
/// ```swift
/// let bag = TaskBag()
/// ticks.pipe(to: node, in: bag) { tick, state in state.count = tick }
/// bag.cancel()   // the bag stays usable
/// ```
///
/// A task that finishes leaves the bag. Every method may be called from any thread.
public final class TaskBag: Sendable {
  /// One task in a bag.
  public struct Entry: Sendable {
    fileprivate let end: @Sendable () -> Void

    /// Cancels the task and removes it from the bag; the second call does nothing.
    ///
    /// The call is synchronous, from any thread, and does not wait for the task's end.
    public func cancel() { end() }
  }

  private final class Check: Sendable {
    let isOver: @MainActor () -> Bool
    init(isOver: @escaping @MainActor () -> Bool) { self.isOver = isOver }
  }

  private let members = Mutex(BagMembers())
  private let checks = Mutex((all: [Check](), next: 0))

  /// Creates an empty bag.
  public init() {}

  deinit { cancel() }

  /// Whether no task is left.
  public var isEmpty: Bool { members.withLock { $0.isEmpty } }

  /// The number of tasks that are left.
  package var count: Int { members.withLock { $0.count } }

  /// Adds a task that already runs; it leaves the bag soon after it has finished.
  ///
  /// The bag starts a second task, which waits for the end of the first.
  ///
  /// - Parameter task: The task that is cancelled with the bag.
  /// - Returns: The entry that cancels this task alone.
  @discardableResult
  public func add<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) -> Entry {
    let ticket = members.withLock { $0.begin {} }
    let entry = handOver(task, at: ticket)
    Spawn.task { [weak self] in
      _ = await task.result
      self?.remove(ticket)
    }
    return entry
  }

  /// Starts a task in the bag; it leaves the bag as the last thing it does.
  ///
  /// Like `Task`, it runs on the isolation of the code that starts it, and inherits priority and
  /// task-local values. Cancelling the bag cancels the task.
  ///
  /// - Parameter operation: The work. It must hold no strong reference to the object that owns the
  ///   bag, or the two keep each other alive until the work ends.
  /// - Returns: The entry that cancels this task alone.
  @discardableResult
  public func add(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    let ticket = members.withLock { $0.begin {} }
    let task = Spawn.task { [weak self] in
      await operation()
      self?.end(ticket)
    }
    return handOver(task, at: ticket)
  }

  /// Starts a task in the bag without the caller's task-local values.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: The work.
  ///   - cancelledEarly: Called if `cancel()` runs between creating the task and storing it. The
  ///     task is cancelled in this case, too, but perhaps after `cancel()` has returned.
  /// - Returns: The entry that cancels this task alone.
  @usableFromInline
  package func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void,
    cancelledEarly: @escaping @Sendable () -> Void = {}
  ) -> Entry {
    let ticket = members.withLock { $0.begin(cancelledEarly: cancelledEarly) }
    let task = Spawn.apart(priority: priority, forSenders: true) { [weak self] in
      await operation()
      self?.end(ticket)
    }
    return handOver(task, at: ticket)
  }

  /// Starts a task in the bag and runs it on the calling thread up to its first suspension.
  func addImmediate(_ operation: sending @escaping () async -> Void) {
    let ticket = members.withLock { $0.begin {} }
    let task = Spawn.immediate { [weak self] in
      await operation()
      self?.end(ticket)
    }
    _ = handOver(task, at: ticket)
  }

  /// Adds a member that is no task of this bag.
  ///
  /// - Parameters:
  ///   - cancel: Called when the bag is cancelled.
  ///   - wait: Suspends until the member has ended.
  /// - Returns: A closure that removes the member.
  func add(
    cancel: @escaping @Sendable () -> Void, wait: @escaping @Sendable () async -> Void
  ) -> @Sendable () -> Void {
    let ticket = members.withLock { members in
      let ticket = members.begin {}
      _ = members.start(ticket, as: .running(cancel: cancel, wait: wait))
      return ticket
    }
    return { [weak self] in self?.remove(ticket) }
  }

  /// Calls a closure now and then, until it returns `true`: each call of this method calls two.
  ///
  /// Nothing tells of the end of an object; this amortised sweep finds those that are gone, on the
  /// main actor, where a reference that is made to look after one may be the last.
  @MainActor
  func lookAfter(_ isOver: @escaping @MainActor () -> Bool) {
    let checked = checks.withLock { checks in
      checks.all.append(Check(isOver: isOver))
      return (0..<2).map { _ in
        checks.next = (checks.next + 1) % checks.all.count
        return checks.all[checks.next]
      }
    }
    for check in checked where check.isOver() {
      checks.withLock { $0.all.removeAll { $0 === check } }
    }
  }

  /// Cancels every task and empties the bag, which can be used again.
  ///
  /// The call does not wait for the tasks' ends.
  ///
  /// - Complexity: O(tasks).
  public func cancel() {
    _ = cancelAll()
  }

  /// Cancels every task and waits until all of them have ended.
  ///
  /// That includes a task that another thread is just adding, if this call cancels it; a task that is
  /// added later goes on. A task must not call this on its own bag: it would wait for itself. The
  /// call waits even if its caller's task is cancelled.
  public func cancelAndWait() async {
    for (ticket, member) in cancelAll() { await wait(for: member, at: ticket) }
  }

  /// Waits until no task is left, including tasks that are added meanwhile; cancels none.
  ///
  /// <!-- sample: let events = EventChannel<Int>() -->
  /// ```swift
  /// events.finish()
  /// await bag.wait()   // what the pipes of the bag had still to reduce is reduced
  /// ```
  ///
  /// A task must not call this on its own bag: it would wait for itself. The call waits even if its
  /// caller's task is cancelled.
  public func wait() async {
    while true {
      let all = members.withLock { $0.all }
      guard !all.isEmpty else { return }
      for (ticket, member) in all { await wait(for: member, at: ticket) }
    }
  }

  private func cancelAll() -> [(ticket: UInt64, member: BagMembers.Member)] {
    let all = members.withLock { $0.cancelAll() }
    Spawn.preemptionPoint()
    for (_, member) in all { member.cancel() }
    return all
  }

  /// Waits until a task has ended, also one that is still being created.
  private func wait(for member: BagMembers.Member, at ticket: UInt64) async {
    var found: BagMembers.Member? = member
    while let member = found {
      switch member {
      case .running(_, let wait):
        await wait()
        // A task that `add(_:)` was given as a running one leaves the bag only some time after its
        // end.
        return remove(ticket)
      case .ended: return await Task.yield()
      // The creating code is about to store the task.
      case .starting, .cancelledEarly: await Task.yield()
      }
      found = members.withLock { $0[ticket] }
    }
  }

  private func handOver<Success: Sendable, Failure: Error>(
    _ task: Task<Success, Failure>, at ticket: UInt64
  ) -> Entry {
    Spawn.preemptionPoint()
    let member = BagMembers.Member.running(
      cancel: { task.cancel() }, wait: { _ = await task.result })
    if !members.withLock({ $0.start(ticket, as: member) }) { task.cancel() }
    return Entry { [weak self] in
      task.cancel()
      self?.remove(ticket)
    }
  }

  private func end(_ ticket: UInt64) {
    let member = members.withLock { $0.end(ticket) }
    withExtendedLifetime(member) {}
  }

  private func remove(_ ticket: UInt64) {
    let member = members.withLock { $0.remove(ticket) }
    withExtendedLifetime(member) {}
  }
}

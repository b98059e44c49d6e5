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
  /// One task in a bag.
  public struct Entry: Sendable {
    fileprivate let end: @Sendable () -> Void

    /// Cancels the task and takes it out of the bag; the second time it does nothing.
    public func cancel() { end() }
  }

  private let members = Mutex(BagMembers())

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
  /// Like `Task`, it runs on the isolation of the code that starts it.
  ///
  /// - Parameter operation: What the task does. It should hold nothing that owns the bag.
  /// - Returns: The entry that ends this task alone.
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

  /// Starts a task in the bag without the task-local values of whoever starts it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: What the task does.
  ///   - cancelledEarly: Called if `cancel()` runs between creating the task and storing it. The task is
  ///     cancelled then, too, but only after `cancel()` may have returned.
  /// - Returns: The entry that ends this task alone.
  @usableFromInline
  func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void,
    cancelledEarly: @escaping @Sendable () -> Void
  ) -> Entry {
    let ticket = members.withLock { $0.begin(cancelledEarly: cancelledEarly) }
    let task = Spawn.apart(priority: priority, forSenders: true) { [weak self] in
      await operation()
      self?.end(ticket)
    }
    return handOver(task, at: ticket)
  }

  /// Starts a task in the bag that runs at once, up to its first suspension.
  func addImmediate(_ operation: sending @escaping () async -> Void) {
    let ticket = members.withLock { $0.begin {} }
    let task = Spawn.immediate { [weak self] in
      await operation()
      self?.end(ticket)
    }
    _ = handOver(task, at: ticket)
  }

  /// Cancels every task.
  ///
  /// The bag is empty then, and can be used again.
  public func cancel() {
    let members = members.withLock { $0.removeAll() }
    Spawn.preemptionPoint()
    for member in members { member.cancel() }
  }

  /// Cancels every task and waits until all of them have ended.
  ///
  /// A task must not wait for its own bag: it would wait for itself. A cancelled caller waits all the same.
  public func cancelAndWait() async {
    let members = members.withLock { $0.removeAll() }
    Spawn.preemptionPoint()
    for member in members { member.cancel() }
    for member in members { await member.wait() }
  }

  /// Waits until no task is left, those included that are added meanwhile, and cancels none.
  ///
  /// ```swift
  /// events.finish()
  /// await bag.wait()   // what the pipes of the bag had still to reduce is reduced
  /// ```
  ///
  /// A task must not wait for its own bag: it would wait for itself. A cancelled caller waits all the same.
  public func wait() async {
    while true {
      let all = members.withLock { $0.all }
      guard !all.isEmpty else { return }
      for (ticket, member) in all {
        await member.wait()
        // A task that was added while it ran is taken out some time after its end.
        if case .running = member { remove(ticket) }
      }
    }
  }

  private func handOver<Success: Sendable, Failure: Error>(
    _ task: Task<Success, Failure>, at ticket: UInt64
  ) -> Entry {
    Spawn.preemptionPoint()
    let member = BagMembers.Member.running(
      cancel: { task.cancel() }, wait: { _ = await task.result })
    guard members.withLock({ $0.start(ticket, as: member) }) else {
      // The bag was cancelled in between. It may have to wait for this task the next time.
      task.cancel()
      return add(task)
    }
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

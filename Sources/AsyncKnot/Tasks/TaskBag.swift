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

    /// Cancels the task and removes it from the bag, from any thread; does not wait for its end.
    public func cancel() { end() }
  }

  private typealias Members = SlotTable<BagMember>

  private let members = Mutex(Members())
  private final class Check: Sendable {
    let isOver: @MainActor () -> Bool
    init(isOver: @escaping @MainActor () -> Bool) { self.isOver = isOver }
  }

  private let checks = Mutex((all: [Check](), next: 0))

  /// Creates an empty bag.
  public init() {}

  deinit { cancel() }

  /// Whether no task is left.
  public var isEmpty: Bool { count == 0 }

  package var count: Int { members.withLock { $0.count } }

  /// Adds a task that already runs; it leaves the bag soon after it has finished.
  ///
  /// The bag starts a second task, which waits for the end of the first.
  ///
  /// - Parameter task: The task that is cancelled with the bag.
  /// - Returns: The entry that cancels this task alone.
  @discardableResult
  public func add<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) -> Entry {
    let member = BagMember()
    let leave = insert(member)
    Spawn.task {
      _ = await task.result
      leave()
    }
    return start(member, leave, task)
  }

  /// Starts a task in the bag; it leaves the bag as the last thing it does.
  ///
  /// Like `Task`, it runs on the isolation of the code that starts it, and inherits priority and
  /// task-local values. Cancelling the bag cancels the task. What a `@MainActor` closure captures is
  /// released on the main actor.
  ///
  /// - Parameter operation: The work. It must hold no strong reference to the object that owns the
  ///   bag, or the two keep each other alive until the work ends.
  /// - Returns: The entry that cancels this task alone.
  @discardableResult
  public func add(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    add(on: Self.isolation(of: operation), with: nil, operation)
  }

  /// The compiler (6.3) does not take `.isolation` of a `sending` parameter.
  private static func isolation(
    of operation: @escaping @isolated(any) () async -> Void
  ) -> (any Actor)? { operation.isolation }

  /// Starts a task that releases its closure at home: on the main actor, or anywhere; another bag
  /// cancels it, too.
  @usableFromInline
  func add(
    on home: (any Actor)?, with other: TaskBag?,
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    let member = BagMember()
    let leave = insert(member)
    let leaveOther = other?.insert(member)
    if home === MainActor.shared {
      // No other code has the operation: it was sent here.
      nonisolated(unsafe) let operation = operation
      let task = Spawn.task { @MainActor in
        await unsafe operation()
        leave()
        leaveOther?()
      }
      return start(member, leave, task)
    }
    let task = Spawn.task {
      await operation()
      leave()
      leaveOther?()
    }
    return start(member, leave, task)
  }

  /// Starts a task without the caller's task-local values.
  ///
  /// `cancelledEarly` is called if `cancel()` runs while the task is being created: then the task is
  /// cancelled, too, but perhaps after `cancel()` has returned.
  @usableFromInline
  package func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void,
    cancelledEarly: @escaping @Sendable () -> Void = {}
  ) -> Entry {
    let member = BagMember(cancelledEarly: cancelledEarly)
    let leave = insert(member)
    let task = Spawn.apart(priority: priority, forSenders: true) {
      await operation()
      leave()
    }
    return start(member, leave, task)
  }

  func addImmediate(_ operation: sending @escaping () async -> Void) {
    let member = BagMember()
    let leave = insert(member)
    let task = Spawn.immediate {
      await operation()
      leave()
    }
    _ = start(member, leave, task)
  }

  /// Adds a member that is no task of this bag; returns how to remove it.
  func add(
    cancel: @escaping @Sendable () -> Void, wait: @escaping @Sendable () async -> Void
  ) -> @Sendable () -> Void {
    let member = BagMember()
    member.start(BagMember.Work(cancel: cancel, wait: wait))
    return insert(member)
  }

  /// Calls a closure now and then, until it returns `true`: each call of this method calls two.
  ///
  /// It finds objects that are gone, on the main actor, where the reference made for it may be the
  /// last.
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

  /// Cancels every task and empties the bag, which can be used again; waits for none.
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
    for slot in cancelAll() { await slot.element?.wait() }
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
      let slots = members.withLock { $0.slots }
      guard !slots.isEmpty else { return }
      for slot in slots {
        await slot.element?.wait()
        // A task that was added as a running one leaves the bag only some time after its end.
        remove(slot.ticket)
      }
    }
  }

  private func cancelAll() -> [Members.Slot] {
    let slots = members.withLock { $0.removeAll() }
    Spawn.preemptionPoint()
    for slot in slots { slot.element?.cancel() }
    return slots
  }

  /// Adds a member; returns how to remove it.
  private func insert(_ member: BagMember) -> @Sendable () -> Void {
    let ticket = members.withLock { $0.insert(member) }
    return { [weak self] in self?.remove(ticket) }
  }

  private func start<Success: Sendable, Failure: Error>(
    _ member: BagMember, _ leave: @escaping @Sendable () -> Void, _ task: Task<Success, Failure>
  ) -> Entry {
    Spawn.preemptionPoint()
    member.start(BagMember.Work(cancel: { task.cancel() }, wait: { _ = await task.result }))
    return Entry {
      task.cancel()
      leave()
    }
  }

  private func remove(_ ticket: UInt64) {
    _ = members.withLock { $0.remove(ticket) }
  }
}

import Synchronization

/// What ends together: `cancel()` ends all of it, and so does the release of the bag.
///
/// ```swift
/// let bag = TaskBag()
/// ticks.pipe(to: node, in: bag) { tick, state in state.count = tick }
/// bag.cancel()   // the bag stays usable
/// ```
/// A task that finishes leaves the bag. Every method may be called from any thread.
public final class TaskBag: Sendable {
  /// One task, or one handler of `observe`, in a bag.
  ///
  /// An entry may be dropped: that ends nothing. What it stands for ends by itself, with its bag, or by
  /// `cancel()`.
  public struct Entry: Sendable {
    let end: @Sendable () -> Void

    /// Ends it and removes it from the bag, from any thread; does not wait for a task's end.
    ///
    /// What its closure captures is released once a running call has returned.
    public func cancel() { end() }
  }

  private struct Content {
    var members = SlotTable<BagMember>()
    /// The index of the slot that was swept last.
    var swept = 0

    mutating func nextToSweep() -> BagMember? {
      swept = swept + 1 < members.slots.count ? swept + 1 : 0
      return members.isEmpty ? nil : members.slots[swept].element
    }
  }

  private let content = Mutex(Content())

  /// Creates an empty bag.
  public init() {}

  deinit { cancel() }

  /// Whether no task is left.
  public var isEmpty: Bool { tasks.isEmpty }

  package var count: Int { content.withLock { $0.members.count } }

  private var tasks: [SlotTable<BagMember>.Slot] {
    content.withLock { $0.members.slots }.filter { $0.element?.isTask == true }
  }

  /// Adds a task that already runs; it leaves the bag soon after it has finished.
  ///
  /// The bag starts a second task, which waits for the end of the first.
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
  /// The work must hold no strong reference to the object that owns the bag, or the two keep each other
  /// alive until it ends.
  @discardableResult
  public func add(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    add(on: Self.isolation(of: operation), operation)
  }

  /// The compiler (6.3) does not take `.isolation` of a `sending` parameter.
  private static func isolation(
    of operation: @escaping @isolated(any) () async -> Void
  ) -> (any Actor)? { operation.isolation }

  /// Starts a task that releases its closure at home: on the main actor, or anywhere.
  ///
  /// Another bag cancels it, too. A task whose object is gone is cancelled by one of the next calls of
  /// `sweep()`.
  @usableFromInline
  func add(
    on home: (any Actor)?, with other: TaskBag? = nil,
    orUntil isOver: (@MainActor () -> Bool)? = nil,
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    let member = BagMember(isOver: isOver)
    let leave = insert(member)
    let leaveOther = other?.insert(member)
    // No other code has the operation: it was sent here.
    nonisolated(unsafe) let operation = operation
    let task =
      if home === MainActor.shared {
        Spawn.task { @MainActor in
          await unsafe operation()
          leave()
          leaveOther?()
        }
      } else {
        Spawn.task {
          await unsafe operation()
          leave()
          leaveOther?()
        }
      }
    return start(member, leave, task)
  }

  /// Starts a task without the caller's task-local values; returns the task, too.
  ///
  /// `cancelledEarly` is called if `cancel()` runs while the task is being created: then the task is
  /// cancelled, too, but perhaps after `cancel()` has returned.
  @usableFromInline
  package func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void,
    cancelledEarly: @escaping @Sendable () -> Void = {}
  ) -> (entry: Entry, task: Task<Void, Never>) {
    let member = BagMember(cancelledEarly: cancelledEarly)
    let leave = insert(member)
    let task = Spawn.apart(priority: priority, forSenders: true) {
      await operation()
      leave()
    }
    return (start(member, leave, task), task)
  }

  /// Cancels what the next two members belong to, if it is gone; a member that is added calls this, so
  /// that members of gone objects do not pile up.
  @MainActor
  func sweep() {
    for _ in 0..<2 {
      if let member = content.withLock({ $0.nextToSweep() }), member.isOver() { member.cancel() }
    }
  }

  /// Ends everything and empties the bag, which can be used again; waits for no task.
  ///
  /// - Complexity: O(members).
  public func cancel() { _ = cancelAll() }

  /// Cancels every task and waits until all of them have ended.
  ///
  /// That includes a task that another thread is just adding, if this call cancels it; a task that is
  /// added later goes on. A task must not call this on its own bag: it would wait for itself. The
  /// call waits even if its caller's task is cancelled.
  public func cancelAndWait() async { for slot in cancelAll() { await slot.element?.wait() } }

  /// Waits until no task is left, including tasks that are added meanwhile; cancels none.
  ///
  /// <!-- sample: let events = EventChannel<Int>() -->
  /// ```swift
  /// events.finish()
  /// await bag.wait()   // what the pipes of the bag had still to reduce is reduced
  /// ```
  /// A task must not call this on its own bag: it would wait for itself. The call waits even if its
  /// caller's task is cancelled.
  public func wait() async {
    while case let tasks = tasks, !tasks.isEmpty {
      for slot in tasks {
        await slot.element?.wait()
        // A task that was added as a running one leaves the bag only some time after its end.
        remove(slot.ticket)
      }
    }
  }

  private func cancelAll() -> [SlotTable<BagMember>.Slot] {
    let slots = content.withLock { $0.members.removeAll() }
    Spawn.preemptionPoint()
    for slot in slots { slot.element?.cancel() }
    return slots
  }

  /// Adds a member; returns how to remove it.
  func insert(_ member: BagMember) -> @Sendable () -> Void {
    let ticket = content.withLock { $0.members.insert(member) }
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

  private func remove(_ ticket: UInt64) { _ = content.withLock { $0.members.remove(ticket) } }
}

/// A member of a bag; it exists before its task or handler does, because the bag may be cancelled while
/// that is being created.
final class BagMember: Sendable {
  struct Work: Sendable {
    let cancel: @Sendable () -> Void
    var wait: @Sendable () async -> Void = {}
  }

  /// `false` for a handler of `observe`.
  let isTask: Bool
  /// Whether the object that the member belongs to is gone.
  let isOver: @MainActor () -> Bool

  private let state = Mutex((work: Work?.none, isCancelled: false))
  private let cancelledEarly: @Sendable () -> Void

  /// Creates a member; `cancelledEarly` is called if it is cancelled before it has its work.
  init(
    isTask: Bool = true, isOver: (@MainActor () -> Bool)? = nil,
    cancelledEarly: @escaping @Sendable () -> Void = {}
  ) {
    (self.isTask, self.isOver, self.cancelledEarly) = (isTask, isOver ?? { false }, cancelledEarly)
  }

  /// Stores the work; cancels it if the member was cancelled meanwhile.
  func start(_ work: Work) {
    let isCancelled = state.withLock { state in
      state.work = work
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// Cancels the work, now or as soon as there is some.
  func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    if let work { work.cancel() } else { cancelledEarly() }
  }

  /// Waits until the task has ended, also one that is being created.
  func wait() async {
    while isTask {
      if let work = state.withLock({ $0.work }) { return await work.wait() }
      await Task.yield()
    }
  }
}

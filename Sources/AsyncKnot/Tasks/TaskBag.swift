import Synchronization

/// Tasks and handlers that end together when you call `cancel()` or release the bag.
///
/// ```swift
/// let bag = TaskBag()
/// ticks.pipe(to: node, in: bag) { tick, state in state.count = tick }
/// bag.cancel()   // the bag stays usable
/// ```
/// A task leaves the bag when it finishes. You can call every method from any thread.
public final class TaskBag: Sendable {
  /// A task or a handler in a bag.
  ///
  /// You can drop an entry: its task or handler continues until it ends, its bag is cancelled or released, or you call
  /// `cancel()`.
  public struct Entry: Sendable {
    let end: @Sendable () -> Void

    /// Cancels the task or handler and removes it from the bag, without waiting for it to end.
    ///
    /// You can call this method from any thread.
    ///
    /// If the closure of the task or handler is running, its captures are released after it has returned.
    public func cancel() { end() }
  }

  private struct Content {
    var members = SlotTable<BagMember>()
    /// The index of the slot that `sweep()` checked last.
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

  /// Whether the bag contains no task.
  ///
  /// Handlers, such as those of `observe`, do not count.
  public var isEmpty: Bool { tasks.isEmpty }

  package var count: Int { content.withLock { $0.members.count } }

  private var tasks: [SlotTable<BagMember>.Slot] {
    content.withLock { $0.members.slots.filter { $0.element?.isTask == true } }
  }

  /// Adds a task that is already running.
  ///
  /// The task leaves the bag shortly after it has finished, not immediately, because a second task waits for its end before it
  /// removes the finished task.
  @discardableResult
  public func add<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) -> Entry {
    let member = BagMember()
    let leave = insert(member)
    Spawn.task {
      _ = await task.result
      leave()
    }
    return entry(of: member, BagMember.Work(task), leave)
  }

  /// Starts a task in the bag.
  ///
  /// The task leaves the bag as its last step.
  ///
  /// As with `Task`, the operation runs on the caller's isolation and inherits the caller's priority and task-local values.
  /// Cancelling the bag cancels the task. The captures of a `@MainActor` closure are released on the main actor. The operation
  /// must not hold a strong reference to the owner of the bag, because the owner could then not be released until the task ends.
  @discardableResult
  public func add(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    add(on: Self.isolation(of: operation), operation)
  }

  /// Returns an operation's isolation.
  ///
  /// This code is a separate function, because the compiler (6.3) rejects `.isolation` of a `sending` parameter.
  private static func isolation(
    of operation: @escaping @isolated(any) () async -> Void
  ) -> (any Actor)? { operation.isolation }

  /// Starts a task that releases its closure on the main actor if `home` is the main actor, otherwise on any thread.
  ///
  /// Cancelling the `other` bag also cancels the task. After the task's owner is released, a later call to `sweep()` cancels the
  /// task.
  @usableFromInline
  func add(
    on home: (any Actor)?, with other: TaskBag? = nil,
    orUntil ownerIsGone: (@MainActor () -> Bool)? = nil,
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Entry {
    let member = BagMember(ownerIsGone: ownerIsGone)
    let leave = insert(member)
    let leaveOther = other?.insert(member)
    // Safe, because the operation is `sending`: no other code uses it.
    nonisolated(unsafe) let operation = operation
    let task =
      if home === MainActor.shared {
        Spawn.task { @MainActor in
          member.adoptCurrentTask()
          await unsafe operation()
          leave()
          leaveOther?()
        }
      } else {
        Spawn.task {
          member.adoptCurrentTask()
          await unsafe operation()
          leave()
          leaveOther?()
        }
      }
    return start(member, leave, task)
  }

  /// Adds an entry without a task; cancelling the entry calls `end`.
  package func addHandler(endedBy end: @escaping @Sendable () -> Void) -> Entry {
    let member = BagMember(isTask: false)
    return entry(of: member, BagMember.Work(cancel: end), insert(member))
  }

  /// Starts a task that handles messages, and returns the task with its entry.
  ///
  /// `Spawn.apart` decides which task-local values the task inherits.
  @usableFromInline
  package func addApart(
    priority: TaskPriority, _ operation: @escaping @Sendable () async -> Void
  ) -> (entry: Entry, task: Task<Void, Never>) {
    let member = BagMember()
    let leave = insert(member)
    let task = Spawn.apart(priority: priority, forSenders: true) {
      member.adoptCurrentTask()
      await operation()
      leave()
    }
    return (start(member, leave, task), task)
  }

  /// Checks the next two slots, and cancels members whose owner has been released.
  ///
  /// Each call to `live(with:in:)` calls this method, so that members whose owner has been released do not accumulate.
  @MainActor
  func sweep() {
    for _ in 0..<2 {
      guard let member = content.withLock({ $0.nextToSweep() }) else { continue }
      if member.ownerIsGone() { member.cancel() }
    }
  }

  /// Cancels every task and handler and empties the bag, without waiting for the tasks.
  ///
  /// The bag stays usable.
  ///
  /// - Complexity: O(members).
  public func cancel() { _ = cancelAll() }

  /// Cancels every task and handler, and waits until all the tasks that it cancels have ended.
  ///
  /// If another thread adds a task during the call, that task is either cancelled and awaited as well, or continues as if it had
  /// been added later. A task must not call this method on its own bag, because it would wait for itself. The call waits even if
  /// the caller's task is cancelled.
  public func cancelAndWait() async { for slot in cancelAll() { await slot.element?.wait() } }

  /// Waits until the bag contains no task, without cancelling any.
  ///
  /// The call also waits for tasks that are added in the meantime.
  ///
  /// <!-- sample: let events = EventChannel<Int>() -->
  /// ```swift
  /// events.finish()
  /// await bag.wait()   // now the pipes in the bag have reduced all events
  /// ```
  /// A task must not call this method on its own bag, because it would wait for itself. The call waits even if the caller's task
  /// is cancelled.
  public func wait() async {
    while case let tasks = tasks, !tasks.isEmpty {
      for slot in tasks {
        await slot.element?.wait()
        // A task that was already running when it was added may not yet have left the bag.
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

  /// Adds a member and returns a closure that removes it.
  func insert(_ member: BagMember) -> @Sendable () -> Void {
    let ticket = content.withLock { $0.members.insert(member) }
    return { [weak self] in self?.remove(ticket) }
  }

  private func start<Success: Sendable>(
    _ member: BagMember, _ leave: @escaping @Sendable () -> Void, _ task: Task<Success, Never>
  ) -> Entry {
    Spawn.preemptionPoint()
    return entry(of: member, BagMember.Work(task), leave)
  }

  /// Gives a member its work, and returns the member's entry.
  private func entry(
    of member: BagMember, _ work: BagMember.Work, _ leave: @escaping @Sendable () -> Void
  ) -> Entry {
    member.start(work)
    return Entry {
      work.cancel()
      leave()
    }
  }

  private func remove(_ ticket: UInt64) { _ = content.withLock { $0.members.remove(ticket) } }
}

/// A member of a bag.
///
/// If the bag starts the task, it creates the member first, because the bag may be cancelled while the task is being created.
final class BagMember: Sendable {
  struct Work: Sendable {
    let cancel: @Sendable () -> Void
    /// Waits until the task has ended; `nil` for a handler, and for a task until the call that creates it has returned.
    var wait: (@Sendable () async -> Void)?
  }

  /// `false` for a handler, such as one of `observe`.
  let isTask: Bool
  let ownerIsGone: @MainActor () -> Bool

  private let state = Mutex((work: Work?.none, isCancelled: false))

  init(isTask: Bool = true, ownerIsGone: (@MainActor () -> Bool)? = nil) {
    self.isTask = isTask
    self.ownerIsGone = ownerIsGone ?? { false }
  }

  /// Stores the work, and cancels it if the member was cancelled in the meantime.
  func start(_ work: Work) {
    let isCancelled = state.withLock { state in
      state.work = work
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// Makes `cancel()` cancel the current task even before the call that creates the task has returned.
  ///
  /// Without this step, a task that is already running could continue after a cancellation of the bag.
  func adoptCurrentTask() {
    unsafe withUnsafeCurrentTask { task in
      // Safe, because `own` keeps the task alive, and any thread can cancel a task.
      guard let task = unsafe task else { return }
      nonisolated(unsafe) let own = unsafe task
      let isCancelled = state.withLock { state in
        if state.work == nil { state.work = Work { Reducer.afterwards { unsafe own.cancel() } } }
        return state.isCancelled
      }
      if isCancelled { unsafe task.cancel() }
    }
  }

  /// Cancels the work, or remembers to cancel it when it starts.
  func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    work?.cancel()
  }

  /// Waits until the task has ended, even if it is still being created.
  func wait() async {
    while isTask {
      if let wait = state.withLock({ $0.work?.wait }) { return await wait() }
      await Task.yield()
    }
  }
}

extension BagMember.Work {
  init<Success: Sendable, Failure: Error>(_ task: Task<Success, Failure>) {
    // Cancelling a task calls its cancellation handlers, which may use any holder.
    self.init(
      cancel: { Reducer.afterwards { task.cancel() } }, wait: { _ = await task.result })
  }
}

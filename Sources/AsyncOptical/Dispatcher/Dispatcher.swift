public import AsyncKnot

/// An actor that carries out messages and owns a state; the base of `Opticle` and `ViewBindable`.
///
/// A message is a request of an opticle or a command of a binder. Adopt `Opticle` (requests and responses) or `ViewBindable`
/// (commands and actions).
public protocol Dispatcher<Dispatched>: Actor, StateSource {
  /// The type of the messages: an opticle's requests, a binder's commands.
  associatedtype Dispatched: Sendable
  /// The type of the causes in `transitions`: an opticle's `CommitCause`, a binder's action.
  ///
  /// For a node or a `StateActor` this type is `Never`, so the compiler rejects a node that is also a binder. Otherwise the
  /// node's `reduce` would bypass the binder's `accept`.
  associatedtype ChangeCause: Sendable

  /// Returns a message's policy, by default `.concurrent`; called when the actor takes the message, and by an ``Outbox``.
  nonisolated func policy(for message: Dispatched) -> DispatchPolicy

  /// The type of the clock, whose durations must be of type `Duration`.
  associatedtype PolicyClock: Sendable = ContinuousClock

  /// The clock of policies, retries and timeouts; by default, a `ContinuousClock`.
  ///
  /// The property is read when a time is first needed. The program then traps if the clock's durations are not of type
  /// `Duration`.
  nonisolated var clock: PolicyClock { get }

  /// The limit on the number of waiting messages; by default there is no limit.
  ///
  /// The limit is fixed when the first message is sent, or earlier. A later change of the property has no effect.
  nonisolated var mailboxPolicy: MailboxPolicy { get }

  /// Handles a message.
  func dispatch(_ message: Dispatched) async

  /// Returns the change that a message is expected to make; for an opticle, see ``Opticle/expectation(for:)``.
  func expectedChange(for message: Dispatched) -> ExpectedChange<Self>?
}

extension Dispatcher {
  /// Returns `.concurrent` for every message.
  @inlinable
  public nonisolated func policy(for message: Dispatched) -> DispatchPolicy { .concurrent }

  /// The default limit, `.unbounded`: any number of messages may wait.
  public nonisolated var mailboxPolicy: MailboxPolicy { .unbounded }

  /// The number of messages that `mailboxPolicy` has dropped.
  public nonisolated var droppedCount: Int { desk.droppedCount }

  /// Returns `nil`, so no change is expected.
  @inlinable
  public func expectedChange(for message: Dispatched) -> ExpectedChange<Self>? { nil }

  /// Sends a message, which is carried out according to `policy(for:)`.
  ///
  /// You can call this synchronous method from any isolation. Messages start in the order in which they were sent, unless their
  /// policies delay or drop them. Waiting messages do not keep the actor alive. Handlers do not see the sender's task-local
  /// values. `knot.bag.cancel()` cancels the messages in flight, and the actor stays usable. A `Task {}` that outlives its
  /// `.concurrent` message may also count as in flight, in which case its later writes are dropped.
  ///
  /// - Complexity: O(1), amortized.
  @inlinable
  public nonisolated func send(_ message: Dispatched) {
    withDesk { $0.post($0.mail(message, nil), to: self) }
  }

  /// Sends a message and waits until it is carried out, superseded or dropped.
  ///
  /// ```swift
  /// await feed.perform(.load)   // in a view: .refreshable { await feed.perform(.load) }
  /// ```
  /// The message is sent before the call suspends, so if code on one actor performs several messages, they arrive in the order of
  /// the calls. The message waits in the mailbox and obeys `policy(for:)`, as with `send`. If its `.exclusive` id is busy, the
  /// call waits for the message in flight instead.
  ///
  /// An `.exclusive` message is cancelled when all callers that wait for it are cancelled, unless it or a message that joined it
  /// was sent with `send`. If only some callers are cancelled, their calls return immediately. With any other policy, cancelling
  /// the caller cancels neither the message nor the wait.
  ///
  /// If a handler of the same holder, one of its child tasks, or a `Task {}` that it started makes a call that would wait for
  /// that handler, the call returns `.deadlock`. Calls from detached tasks are not checked: if a handler and a detached task wait
  /// for each other, neither ends.
  ///
  /// - Returns: The outcome of the message, or of the message in flight that it joined.
  ///   ``DispatchOutcome/get()`` throws the error of a failed request.
  @discardableResult
  public nonisolated(nonsending) func perform(_ message: Dispatched) async -> DispatchOutcome {
    await perform(message, on: #isolation)
  }

  private func perform(
    _ message: Dispatched, on isolation: isolated (any Actor)?
  ) async -> DispatchOutcome {
    let desk = desk
    let caller = Caller(origin: desk.message)
    let outcome = Promise<DispatchOutcome, Never>()
    let priority = Task.currentPriority
    return await withTaskCancellationHandler {
      // Capturing `isolation` makes the closure run on the caller's isolation, so the message is sent before the closure
      // suspends.
      _ = isolation
      desk.post(desk.mail(message, Receipt(to: caller) { outcome.fulfill(.success($0)) }), to: self)
      return await passingOnPriority(above: priority) { isReady in
        isReady()
        return await withCheckedContinuation { outcome.wait($0) }
      } to: { priority in
        desk.post(.raised(caller, priority.rawValue), to: self, at: priority)
      }
    } onCancel: {
      caller.leave()
      desk.post(.gone(caller), to: self)
    }
  }

  /// Sends a message like `send(_:)`, and calls `answer` with its outcome.
  ///
  /// The message is dropped if `isWanted` returns `false` when the message is admitted, or `mayStart` returns `false` directly
  /// before it starts. To drop a waiting message, let both return `false`, and then pass the returned caller to
  /// `review(_:isNotAdmitted:)`.
  nonisolated func send(
    _ message: Dispatched, while isWanted: @escaping @Sendable () -> Bool,
    if mayStart: @escaping @Sendable () -> Bool,
    then answer: @escaping @Sendable (DispatchOutcome) -> Void
  ) -> Caller {
    let receipt = Receipt(to: Caller(origin: nil), while: isWanted, if: mayStart, answer)
    desk.post(desk.mail(message, receipt), to: self)
    return receipt.caller
  }

  /// Ends the messages whose callers were cancelled or no longer want them, and removes the changes that these messages
  /// show.
  ///
  /// Calls `isNotAdmitted` with the key of each message that is still in the mailbox or has already ended.
  func review<Key>(_ callers: [(key: Key, value: Caller)], isNotAdmitted: (Key) -> Void) {
    for (key, caller) in callers {
      desk.review(caller, on: self)
      if unsafe caller.place == nil { isNotAdmitted(key) }
    }
  }

  /// Cancels the messages with an id that were sent before this call, regardless of their policy, whether they are in flight or
  /// waiting.
  ///
  /// <!-- sample: let page = 1 -->
  /// ```swift
  /// feed.send(.open(page))     // .latest("page")
  /// feed.cancel("page")
  /// ```
  /// You can call this synchronous method from any isolation. It drops waiting messages, including those still in the mailbox.
  /// After the method returns, writes of a message in flight are dropped. To guarantee that, it waits while the holder is writing
  /// its state. A serial id starts its next message when the handler of the cancelled one has returned; any other id is free
  /// immediately.
  ///
  /// - Complexity: O(1) for the caller, O(messages with the id) for the holder.
  public nonisolated func cancel(_ id: some Hashable & Sendable) {
    desk.recall(LaneID(id), from: self)
  }

  /// Marks the response of an `.exclusive` id as out of date, so that the next message with the id is carried out even if the
  /// response is fresh.
  ///
  /// <!-- sample: let page = 1 -->
  /// ```swift
  /// feed.invalidate("load")   // the server says that something has changed
  /// feed.send(.load)          // .exclusive("load", freshFor: .seconds(60))
  /// ```
  /// You can call this synchronous method from any isolation. Calls to this method and to `send` take effect in their order. A
  /// message in flight continues, but its response is not fresh, and the next message with the id supersedes it.
  ///
  /// - Complexity: O(1), for the caller and for the holder.
  public nonisolated func invalidate(_ id: some Hashable & Sendable) {
    desk.post(.invalidate(LaneID(id)), to: self)
  }

  /// Replaces the state with an earlier one, in one step on the actor.
  ///
  /// The restore is a commit like any other. Messages in flight continue, and their later changes are visible. Pending changes
  /// are ordered before the restore, so they are no longer visible. If the restored state was read while changes were pending,
  /// the restore makes these changes permanent; ``Opticle/confirmed`` has a state without them.
  ///
  /// - Returns: Whether the state was restored; `false` in the dispatch of a superseded or cancelled message.
  @discardableResult public func restore(_ state: State) -> Bool {
    restore { _ in
      { _, current in
        defer { current = state }
        return current
      }
    }
  }

  /// Restores a state with the edit that a closure returns; returns `false` if that edit is `nil` or the task must not write
  /// (O12).
  func restore(_ edit: (_ confirmed: () -> State) -> Edit<Self>?) -> Bool {
    let desk = desk
    guard desk.mayWrite, let edit = edit({ desk.confirmed(on: self) }) else { return false }
    return desk.commit(nil, edit, on: self, as: .commit)
  }

  /// The states, beginning with the current one; the same sequence as `states`.
  ///
  /// ```swift
  /// feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
  /// ```
  public nonisolated var watch: StateSequence<State> { knot.states }

  /// Returns the states, for a handler that must not miss any; the same sequence as `states(buffering:)`.
  public nonisolated func watch(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    knot.states(buffering: policy)
  }

  /// The transitions that happen after this property is read, in order, each with its cause and the states before and after it.
  ///
  /// The subscription begins when the property is read. It ends when the holder is released, or when you drop the sequence and
  /// its iterators. Without a subscriber, no state is copied or kept.
  @inlinable
  public nonisolated var transitions: EventSequence<Transition<ChangeCause, State>> {
    let channel = EventChannel<Transition<ChangeCause, State>>()
    let transitions = channel.subscribe()
    desk.listen(Listener(isOver: { !channel.hasSubscribers }) { change, _ in channel.send(change) })
    return transitions
  }

  @inlinable nonisolated var desk: Desk<Self> { withDesk { $0 } }

  /// Calls `body` with the desk, without retaining the desk; traps if the knot, and therefore its desk, belongs to another
  /// holder.
  @inlinable
  nonisolated func withDesk<Result>(_ body: (Desk<Self>) -> Result) -> Result {
    let owner = ObjectIdentifier(self)
    return ownKnot.withCompanion({ Desk<Self>(of: owner, mailboxPolicy) }) { desk in
      if desk.owner != owner { Knot<State>.refuseSecondHolder() }
      return body(desk)
    }
  }
}

extension Dispatcher where PolicyClock == ContinuousClock {
  /// A `ContinuousClock`.
  public nonisolated var clock: ContinuousClock { ContinuousClock() }
}

public import AsyncKnot

/// An actor that carries out messages and owns a state: what `Opticle` and `ViewBindable` share.
///
/// Adopt `Opticle` (requests and responses) or `ViewBindable` (commands and actions).
public protocol Dispatcher<Dispatched>: Actor, StateSource {
  /// The type of the messages: an opticle's requests, a binder's commands.
  associatedtype Dispatched: Sendable
  /// The type of the causes in `transitions`: an opticle's `CommitCause`, a binder's action. A node and
  /// a `StateActor` have none, so neither is a binder, too, whose `accept` it would bypass.
  associatedtype ChangeCause: Sendable

  /// The policy of a message, asked for on the actor when it is taken from the mailbox; by default, `.concurrent`.
  nonisolated func policy(for message: Dispatched) -> DispatchPolicy

  /// The type of the clock: any type of clock whose durations are `Duration`.
  associatedtype PolicyClock: Sendable = ContinuousClock

  /// The clock of policies, retries and timeouts; by default, a `ContinuousClock`.
  ///
  /// It is read once, when a time is first needed; a value that is no such clock traps then.
  nonisolated var clock: PolicyClock { get }

  /// How many messages may wait, read once; by default, any number.
  nonisolated var mailboxPolicy: MailboxPolicy { get }

  /// Carries out a message that starts.
  func dispatch(_ message: Dispatched) async

  /// What a message is expected to change: what an opticle says by ``Opticle/expectation(of:)``.
  func expectedChange(of message: Dispatched) -> ExpectedChange<Self>?
}

extension Dispatcher {
  /// `.concurrent` for every message.
  @inlinable
  public nonisolated func policy(for message: Dispatched) -> DispatchPolicy { .concurrent }

  /// `.unbounded`: any number of messages may wait.
  public nonisolated var mailboxPolicy: MailboxPolicy { .unbounded }

  /// The number of messages that `mailboxPolicy` has dropped.
  public nonisolated var droppedCount: Int { desk.droppedCount }

  /// `nil`: no change is expected.
  @inlinable
  public func expectedChange(of message: Dispatched) -> ExpectedChange<Self>? { nil }

  /// Sends a message, to be carried out as `policy(for:)` says.
  ///
  /// The call is synchronous, from any isolation. Messages start in the order sent, and do not keep
  /// the actor alive while they wait. Handlers see none of the sender's task-local values.
  /// `knot.bag.cancel()` cancels the messages in flight; the actor stays usable. A `Task {}` that an ended
  /// `.concurrent` message has left behind may count as in flight, too: then its later writes are
  /// dropped.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public nonisolated func send(_ message: Dispatched) {
    withDesk { $0.post($0.mail(message, nil), to: self) }
  }

  /// Sends a message and waits until it is carried out, superseded or dropped.
  ///
  /// ```swift
  /// await feed.perform(.load)   // in a view: .refreshable { await feed.perform(.load) }
  /// ```
  /// The message waits in the mailbox and obeys `policy(for:)`, as with `send`. Where its `.exclusive` id is
  /// busy, the call waits for the message in flight in its place. Such a message is cancelled when all
  /// callers that wait for it are cancelled, unless somebody has sent it or its like; a caller that is
  /// cancelled before the others returns at once. Otherwise a cancelled caller cancels neither the
  /// message nor the waiting. In a handler of the same holder, and its child tasks and `Task {}`, the
  /// call returns `.deadlock` if it would wait for the handler; a detached task must not perform what
  /// waits for the handler that waits for it, because neither would end.
  ///
  /// - Returns: What became of the message, or of the one in flight; ``DispatchOutcome/get()`` throws the
  ///   error of a request that has failed.
  @discardableResult
  public nonisolated func perform(_ message: Dispatched) async -> DispatchOutcome {
    let desk = desk
    let caller = Caller(origin: desk.message)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let receipt = Receipt(to: caller) { continuation.resume(returning: $0) }
        desk.post(desk.mail(message, receipt), to: self)
      }
    } onCancel: {
      desk.post(.gone(caller), to: self)
    }
  }

  /// Sends a message, in order with `send`, and calls back with its outcome, from any isolation.
  ///
  /// The message is dropped if `mayStart` returns `false` right before it would start.
  nonisolated func send(
    _ message: Dispatched, if mayStart: @escaping @Sendable () -> Bool,
    then answer: @escaping @Sendable (DispatchOutcome) -> Void
  ) {
    let receipt = Receipt(to: Caller(origin: nil), if: mayStart, answer)
    desk.post(desk.mail(message, receipt), to: self)
  }

  /// Cancels the messages sent before under an id, whatever their policy: those in flight and those
  /// that wait.
  ///
  /// <!-- sample: let page = 1 -->
  /// ```swift
  /// feed.send(.open(page))     // .latest("page")
  /// feed.cancel("page")
  /// ```
  /// The call is synchronous, from any isolation. Messages that wait are dropped, also those that have
  /// not reached the holder, and writes of a message in flight are dropped from the moment on at which
  /// the call returns: it waits while the holder writes its state. A serial id starts its next message
  /// when the cancelled one has returned; any other id is free at once.
  ///
  /// - Complexity: O(1); the holder's part is O(messages of the id).
  public nonisolated func cancel(_ id: some Hashable & Sendable) {
    desk.recall(LaneID(id), from: self)
  }

  /// Says that the answer of an `.exclusive` id is out of date: the next message with it is carried out,
  /// however fresh the answer is.
  ///
  /// <!-- sample: let page = 1 -->
  /// ```swift
  /// feed.invalidate("load")   // the server says that something has changed
  /// feed.send(.load)          // .exclusive("load", freshFor: .seconds(60))
  /// ```
  /// The call is synchronous, from any isolation, and in order with `send`. A message in flight goes on; its
  /// answer is not fresh, and the next message with the id starts at once and supersedes it.
  ///
  /// - Complexity: O(1); the holder's part is O(1), too.
  public nonisolated func invalidate(_ id: some Hashable & Sendable) {
    desk.post(.invalidate(LaneID(id)), to: self)
  }

  /// Replaces the state by an earlier one, on the actor, in one step.
  ///
  /// It is a commit like any other: messages in flight continue, what they change later shows, and what
  /// is pending comes before it, so it no longer shows. A state that was read while changes were pending
  /// has them for good: read ``Opticle/confirmed`` for one without.
  ///
  /// - Returns: Whether it was restored: not by a dispatch that was superseded or cancelled.
  @discardableResult public func restore(_ state: State) -> Bool {
    restore { _ in
      { _, current in
        defer { current = state }
        return current
      }
    }
  }

  /// Decides once whether the task may write, so that the answer is true (O12).
  func restore(_ edit: (_ confirmed: () -> State) -> Edit<Self>?) -> Bool {
    let desk = desk
    guard desk.mayWrite, let edit = edit({ desk.confirmed(on: self) }) else { return false }
    desk.commit(nil, edit, on: self)
    return true
  }

  /// The states, the current one first: Optical's name of `states`.
  ///
  /// ```swift
  /// feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
  /// ```
  public nonisolated var watch: StateSequence<State> { knot.states }

  /// The states, for a handler that must receive every one of them: `states(buffering:)`.
  public nonisolated func watch(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    knot.states(buffering: policy)
  }

  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read, and ends with the holder, or when the sequence
  /// and its iterators are dropped. Without a listener no state is copied or kept.
  @inlinable
  public nonisolated var transitions: EventSequence<Transition<ChangeCause, State>> {
    let channel = EventChannel<Transition<ChangeCause, State>>()
    let transitions = channel.subscribe()
    desk.listen(Listener(isOver: { !channel.hasSubscribers }) { change, _ in channel.send(change) })
    return transitions
  }

  @inlinable nonisolated var desk: Desk<Self> { withDesk { $0 } }

  /// Calls a body with the desk, without counting a reference to it; traps if the knot, and so the
  /// desk, belongs to another holder.
  @inlinable
  nonisolated func withDesk<Result>(_ body: (Desk<Self>) -> Result) -> Result {
    let owner = ObjectIdentifier(self)
    return knot.withCompanion({ Desk<Self>(of: owner, mailboxPolicy) }) { desk in
      if desk.owner != owner { Knot<State>.refuseSecondHolder() }
      return body(desk)
    }
  }
}

extension Dispatcher where PolicyClock == ContinuousClock {
  /// A `ContinuousClock`.
  public nonisolated var clock: ContinuousClock { ContinuousClock() }
}

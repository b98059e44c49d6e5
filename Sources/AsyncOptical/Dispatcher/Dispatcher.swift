public import AsyncKnot

/// An actor that carries out messages and owns a state: what `Opticle` and `ViewBindable` share.
///
/// <!-- sample: enum Refresh: Sendable { case now } -->
/// ```swift
/// func refresh(_ dispatcher: some Dispatcher<Refresh>) {
///   dispatcher.send(.now)
/// }
/// ```
/// Adopt `Opticle` (requests and responses) or `ViewBindable` (commands and actions). Write generic
/// code against this protocol if it works with both.
public protocol Dispatcher<Dispatched>: Actor, StateSource {
  /// The type of the messages: an opticle's requests, a binder's commands.
  associatedtype Dispatched: Sendable
  /// The type of the causes in `transitions`.
  ///
  /// A node and a `StateActor` have none, so no actor is a binder, too, whose `accept` they would bypass.
  associatedtype ChangeCause: TransitionCause

  /// The policy of a message; by default, `.concurrent`.
  ///
  /// Called on the actor, when the message is fetched from the mailbox.
  ///
  /// - Parameter message: The message.
  /// - Returns: The policy.
  nonisolated func policy(for message: Dispatched) -> DispatchPolicy

  /// The type of the clock: any type of clock whose durations are `Duration`.
  associatedtype PolicyClock: Sendable = ContinuousClock

  /// The clock of policies, retries and timeouts; by default, a `ContinuousClock`.
  ///
  /// The property is read once, when a time is first needed; a value that is no such clock traps
  /// then.
  nonisolated var clock: PolicyClock { get }

  /// How many messages may wait; by default, any number.
  ///
  /// The property is read once.
  nonisolated var mailboxPolicy: MailboxPolicy { get }

  /// Carries out a message that starts; `Opticle` and `ViewBindable` implement it.
  ///
  /// - Parameter message: The message.
  func carryOut(dispatched message: Dispatched) async
}

extension Dispatcher {
  /// Returns `.concurrent` for every message.
  ///
  /// - Parameter message: The message.
  /// - Returns: `.concurrent`.
  @inlinable
  public nonisolated func policy(for message: Dispatched) -> DispatchPolicy { .concurrent }

  /// `.unbounded`: any number of messages may wait.
  public nonisolated var mailboxPolicy: MailboxPolicy { .unbounded }

  /// The number of messages that `mailboxPolicy` has dropped.
  public nonisolated var droppedCount: Int { desk.droppedCount }

  /// Sends a message, to be carried out as `policy(for:)` says.
  ///
  /// The call is synchronous, may be made from any isolation and never waits. Messages start in the
  /// order sent. A waiting message does not keep the actor alive. Its handler sees none of the
  /// sender's task-local values. `bag.cancel()` cancels the messages in flight; the actor stays
  /// usable. A `Task {}` that an ended `.concurrent` message has left behind may count as in flight,
  /// too: then its later writes are dropped.
  ///
  /// - Parameter message: The message.
  /// - Complexity: O(1), amortised.
  @inlinable
  public nonisolated func send(_ message: Dispatched) {
    withDesk { $0.send(message, to: self) }
  }

  /// Cancels the messages sent before under an id, whatever their policy: those in flight and those
  /// that wait.
  ///
  /// <!-- sample: let page = 1 -->
  /// ```swift
  /// feed.send(.open(page))     // .latest("page")
  /// feed.cancel("page")
  /// ```
  /// The call is synchronous, from any isolation. The cancellation takes its turn among the
  /// messages, so every message sent before it was looked at. Later writes of a cancelled message
  /// are dropped. A serial id starts its next message when the cancelled one has returned; any other
  /// id is free at once, even while a message that ignores its cancellation still runs.
  ///
  /// - Parameter id: The id that the messages' policies have.
  public nonisolated func cancel(_ id: some Hashable & Sendable) {
    let desk = desk
    desk.post(.cancel(id), to: self)
  }

  /// Replaces the state by an earlier one, on the actor, in one step.
  ///
  /// Observers receive it like any other state. Messages in flight continue.
  ///
  /// - Parameter state: The state, for example `before` of a transition.
  /// - Returns: Whether the state was restored; a dispatch that was superseded or cancelled restores
  ///   nothing.
  @discardableResult
  public func restore(_ state: State) -> Bool { restore { _ in state } }

  /// Replaces the state, unless the closure has no other; decides once whether the task may write.
  func restore(_ other: (_ current: State) -> State?) -> Bool {
    let desk = desk
    guard desk.mayWrite, let state = other(knot.state) else { return false }
    desk.replace(with: state, .restored, in: knot)
    return true
  }

  @inlinable nonisolated var desk: Desk<Self> { withDesk { $0 } }

  // Calls a body with the desk, without counting a reference to it for each message and commit.
  //
  // Traps if the knot belongs to another holder, whose desk it would be.
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

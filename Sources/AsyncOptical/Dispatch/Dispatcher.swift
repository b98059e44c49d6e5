public import AsyncKnot

/// An actor that carries out what it is sent and owns a state: what `Opticle` and `ViewBindable` share.
///
/// ```swift
/// func refresh(_ dispatcher: some Dispatcher<Refresh>) {
///   dispatcher.send(.now)
/// }
/// ```
/// Adopt `Opticle` (requests and responses) or `ViewBindable` (commands and actions). Write against this
/// protocol where either will do.
public protocol Dispatcher<Dispatched>: Actor, StateSource {
  /// What is sent: an opticle's requests, a binder's commands.
  associatedtype Dispatched: Sendable
  /// Why the state changed.
  associatedtype ChangeCause: TransitionCause

  /// How a message that is sent goes together with those in flight. By default, `.concurrent`.
  ///
  /// - Parameter message: What was sent.
  /// - Returns: The policy, asked for on the actor when the message's turn to be looked at comes.
  nonisolated func policy(for message: Dispatched) -> DispatchPolicy

  /// The clock of policies, of back-off and of timeouts. By default, a `ContinuousClock`.
  nonisolated var clock: any Clock<Duration> { get }

  /// How many messages may wait. By default, any number.
  ///
  /// It is asked for once. A serial lane has as much room of its own.
  nonisolated var mailboxPolicy: MailboxPolicy { get }

  /// Carries out a message whose turn has come; `Opticle` and `ViewBindable` bring it with them.
  ///
  /// - Parameter message: What was sent.
  func carryOut(dispatched message: Dispatched) async
}

extension Dispatcher {
  /// Lets messages run side by side.
  @inlinable
  public nonisolated func policy(for message: Dispatched) -> DispatchPolicy { .concurrent }

  /// The clock that real time moves.
  public nonisolated var clock: any Clock<Duration> { ContinuousClock() }

  /// Any number of messages may wait.
  public nonisolated var mailboxPolicy: MailboxPolicy { .unbounded }

  /// How many messages were dropped because too many waited, as `mailboxPolicy` says.
  public nonisolated var droppedCount: Int { desk.droppedCount }

  /// Sends a message, to be carried out as `policy(for:)` says.
  ///
  /// It is synchronous, may be called from any isolation and never waits. Messages start in the order
  /// sent. One that waits for its turn does not keep the actor alive. It does not see the sender's
  /// task-local values. `bag.cancel()` cancels what is in flight; the actor stays usable.
  ///
  /// - Parameter message: What is asked for.
  /// - Complexity: O(1).
  @inlinable
  public nonisolated func send(_ message: Dispatched) {
    withDesk { $0.send(message, to: self) }
  }

  /// Cancels what was sent before under an id, whatever its policy: what is in flight, and what waits.
  ///
  /// ```swift
  /// feed.send(.open(page))     // .latest("page")
  /// feed.cancel("page")
  /// ```
  /// It takes its turn among the messages, so it finds everything that was sent before it. What a
  /// cancelled message writes late is dropped. A serial id starts its next message when the cancelled
  /// one has returned.
  ///
  /// - Parameter id: The id of the policies.
  public nonisolated func cancel(_ id: some Hashable & Sendable) {
    let desk = desk
    desk.post(.cancel(id), to: self)
  }

  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read and ends when the sequence and its iterators are
  /// dropped. Nothing is copied or kept while nobody listens.
  public nonisolated var transitions: TransitionSequence<ChangeCause, State> {
    TransitionSequence(records: desk.records.subscribe())
  }

  /// Puts an earlier state back.
  ///
  /// Observers see it as any other state. What is in flight goes on.
  ///
  /// A dispatch that was superseded or cancelled restores nothing.
  ///
  /// - Parameter state: The state, for example `before` of a transition.
  public func restore(_ state: State) {
    let desk = desk
    guard desk.mayWrite else { return }
    desk.replace(with: state, .restored, in: knot)
  }

  @inlinable nonisolated var desk: Desk<Self> { withDesk { $0 } }

  /// Lends the desk: a message that is sent, and a commit, need not count a reference to it.
  @inlinable
  nonisolated func withDesk<Result>(_ body: (Desk<Self>) -> Result) -> Result {
    knot.withCompanion({ Desk(mailboxPolicy) }, body)
  }
}

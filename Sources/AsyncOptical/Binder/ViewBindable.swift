public import AsyncKnot

/// A one-way binder, as an actor: commands come in, actions change the state, views watch it.
///
/// ```swift
/// actor SampleBinder: ViewBindable {
///   enum Command { case fetch }
///   enum Action { case loaded(String) }
///   struct State: Sendable { var value = "" }
///   let knot = Knot(State())
///
///   func binding(command: Command) async {
///     switch command {
///     case .fetch: accept(.loaded(await service.value()))
///     }
///   }
///   func reduce(_ action: Action, into state: inout State) {
///     switch action {
///     case .loaded(let value): state.value = value
///     }
///   }
/// }
/// ```
/// The state has an initial value, and only `accept` changes it.
public protocol ViewBindable: Actor, StateSource {
  /// What a view asks for.
  associatedtype Command: Sendable
  /// What changes the state.
  associatedtype Action: Sendable

  /// Does what a command asks for: work, then `accept(action)`.
  ///
  /// Other commands are handled while it is suspended; `policy(for:)` says which. What it accepts after
  /// it was cancelled or superseded is dropped.
  ///
  /// - Parameter command: What a view asks for.
  func binding(command: Command) async

  /// Brings an action into the state: the only way in which it changes.
  ///
  /// It is a reducer: the binder must not be read or accept anything here.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - state: The state, to be changed in place.
  func reduce(_ action: Action, into state: inout State)

  /// How a command that is sent goes together with those in flight. By default, `.concurrent`.
  ///
  /// - Parameter command: The command that was sent.
  /// - Returns: The policy, asked for on the binder when the command's turn to be looked at comes.
  nonisolated func policy(for command: Command) -> DispatchPolicy

  /// The clock of debounced commands. By default, a `ContinuousClock`.
  nonisolated var clock: any Clock<Duration> { get }
}

extension ViewBindable {
  /// Lets commands run side by side.
  @inlinable
  public nonisolated func policy(for command: Command) -> DispatchPolicy { .concurrent }

  /// The clock that real time moves.
  public nonisolated var clock: any Clock<Duration> { ContinuousClock() }

  /// Sends a command, to be handled as `policy(for:)` says.
  ///
  /// It is synchronous, may be called from any isolation and never waits. Handlers start in the order
  /// sent. A command that waits for its turn does not keep the binder alive. `bag.cancel()` cancels what
  /// is in flight; the binder stays usable.
  ///
  /// - Parameter command: What is asked for.
  /// - Complexity: O(1).
  @inlinable
  public nonisolated func send(_ command: Command) {
    withDesk { $0.send(command, to: self) }
  }

  /// Brings an action into the state through `reduce(_:into:)`, in one step.
  ///
  /// - Parameter action: What happened.
  @inlinable
  public func accept(_ action: Action) {
    guard Dispatch.mayCommit else { return }
    withDesk { $0.write(.action(action), to: knot) { reduce(action, into: &$0) } }
  }

  /// Puts an earlier state back.
  ///
  /// - Parameter state: The state, for example `before` of a transition.
  public func restore(_ state: State) {
    desk.replace(with: state, .restored, in: knot)
  }

  @inlinable nonisolated var desk: Desk<BinderWork<Self>> { withDesk { $0 } }

  /// Lends the desk: a message that is sent, and a commit, need not count a reference to it.
  @inlinable
  nonisolated func withDesk<Result>(_ body: (Desk<BinderWork<Self>>) -> Result) -> Result {
    knot.withCompanion({ Desk() }, body)
  }
}

/// How commands are carried out by a binder.
@usableFromInline
enum BinderWork<Holder: ViewBindable>: Work {
  @inlinable
  static func policy(of holder: Holder, for command: Holder.Command) -> DispatchPolicy {
    holder.policy(for: command)
  }

  @inlinable
  static func clock(of holder: Holder) -> any Clock<Duration> { holder.clock }

  @inlinable
  static func desk(of holder: Holder) -> Desk<Self> { holder.desk }

  @inlinable @inline(__always)
  static func carryOut(_ command: Holder.Command, on holder: isolated Holder) async {
    await holder.binding(command: command)
  }

  @usableFromInline typealias Cause = ActionCause<Holder.Action>
}

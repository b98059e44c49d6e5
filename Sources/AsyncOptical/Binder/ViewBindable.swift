public import AsyncKnot

/// A one-way binder, as an actor: commands come in, actions change the state, views watch it.
///
/// ```swift
/// actor SampleBinder: ViewBindable {
///   enum Command { case fetch }
///   enum Action { case loaded(String) }
///   struct State: Sendable { var value = "" }
///   let knot = Knot(State())
///   let service = Service()
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
public protocol ViewBindable: Dispatcher
where Dispatched == Command, ChangeCause == ActionCause<Action> {
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
}

extension ViewBindable {
  /// Handles a command whose turn has come.
  ///
  /// - Parameter message: The command.
  @inlinable @inline(__always)
  public func carryOut(dispatched message: Command) async { await binding(command: message) }

  /// Brings an action into the state through `reduce(_:into:)`, in one step.
  ///
  /// - Parameter action: What happened.
  @inlinable
  public func accept(_ action: Action) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.write(.action(action), to: knot) { reduce(action, into: &$0) }
    }
  }
}

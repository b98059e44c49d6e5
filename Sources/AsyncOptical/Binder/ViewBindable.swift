public import AsyncKnot

/// A one-way binder, as an actor: commands come in, actions change the state, views watch it.
///
/// <!-- sample: struct Service: Sendable { func value() async -> String { "" } } -->
/// ```swift
/// actor SampleBinder: ViewBindable {
///   enum Command { case fetch }
///   enum Action { case loaded(String) }
///   struct State: Sendable { var value = "" }
///   let knot = Knot(State())
///   let service = Service()
///
///   func binding(command: Command) async { accept(.loaded(await service.value())) }
///   func reduce(_ action: Action, into state: inout State) {
///     switch action { case .loaded(let value): state.value = value }
///   }
/// }
/// ```
/// Only `accept` and `restore` change the state.
public protocol ViewBindable: Dispatcher
where Dispatched == Command, ChangeCause == Action {
  /// The type of the commands, which views send.
  associatedtype Command: Sendable
  /// The type of the actions, which change the state.
  associatedtype Action: Sendable

  /// Carries out a command: works, then calls `accept(action)`.
  ///
  /// Others may start while it is suspended, as `policy(for:)` says. Actions that it accepts after it
  /// was cancelled or superseded are dropped.
  func binding(command: Command) async

  /// Applies an action to the state; a reducer, which must read and write no holder's state but its
  /// `inout` parameter.
  func reduce(_ action: Action, into state: inout State)
}

extension ViewBindable {
  /// Calls `binding(command:)`.
  @inlinable @inline(__always)
  public func dispatch(_ command: Command) async { await binding(command: command) }

  /// Applies an action to the state through `reduce(_:into:)`, in one step; does nothing if the task
  /// is cancelled, or belongs to a superseded or cancelled command.
  @inlinable
  public func accept(_ action: Action) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.commit(
        action, on: self,
        edit: {
          $0.reduce(action, into: &$1)
          return nil
        }
      ) { reduce(action, into: &$0) }
    }
  }
}

public import AsyncKnot

/// A view model with one-way data flow: views send commands to it, actions change its state, and views watch the state.
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
/// Only `accept`, `restore`, `undo` and `redo` change the state.
public protocol ViewBindable: Dispatcher
where Dispatched == Command, ChangeCause == Action {
  /// The type of the commands that views send.
  associatedtype Command: Sendable
  /// The type of the actions that change the state.
  associatedtype Action: Sendable

  /// Runs a command: does the work, then calls `accept(action)`.
  ///
  /// Other commands may start while this method is suspended, depending on `policy(for:)`. Once the command is cancelled or
  /// superseded, the actions that this method accepts are dropped.
  func binding(command: Command) async

  /// Applies an action to the state.
  ///
  /// This method is a reducer: it must not use the state of a holder except its `inout` parameter.
  func reduce(_ action: Action, into state: inout State)
}

extension ViewBindable {
  /// Calls `binding(command:)`.
  @inlinable @inline(__always)
  public func dispatch(_ command: Command) async { await binding(command: command) }

  /// Applies an action to the state with `reduce(_:into:)`, in one step.
  ///
  /// Does nothing if the task is cancelled or belongs to a superseded or cancelled command.
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

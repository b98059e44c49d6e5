/// A source whose state operators may write: the target of `pipe(to:)`.
///
/// Actors adopt it through `Knotable`, main-actor views through `KnotableView`; both add `reduce`
/// and `consume`. An actor adopts it directly for a state without hooks:
///
/// ```swift
/// actor Session: StateHolder {
///   let knot = Knot(SessionState())
/// }
/// ```
///
/// Code that is generic over holders calls `await holder.reduce { … }`, which calls the holder's
/// own `reduce` with its hooks. There is no synchronous form for a generic holder.
public protocol StateHolder<State>: StateSource {
  /// What a holder does besides storing a state: nothing by default; nodes and opticles have their
  /// own.
  ///
  /// The synchronous `reduce` of an actor without hooks exists only for `NoHooks`.
  associatedtype Hooks = NoHooks

  /// The actor on which the package releases its references to a holder; `nil` if any thread may do
  /// so.
  ///
  /// An object of a global actor must not be released elsewhere. `KnotableView` returns the main
  /// actor.
  nonisolated static var home: (any Actor)? { get }

  /// Mutates the state in place, in one synchronous step on the holder.
  ///
  /// Any number of concurrent reductions lose no update. Reading a holder's state or reducing
  /// inside the closure is an error and traps.
  ///
  /// - Parameter body: The reducer; its `inout` parameter is the state.
  /// - Returns: What the reducer returned.
  @discardableResult
  func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) async -> R

  /// Reduces every event of a sequence, in a loop that runs on the holder.
  ///
  /// The method returns when the sequence ends; most sequences end when the task is cancelled. The
  /// caller keeps the holder alive for as long as the loop runs; `pipe(to:in:_:)` does not.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place.
  /// - Throws: The sequence's own error; the state keeps its last value.
  func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure)
}

extension StateHolder {
  /// Returns `nil`: an actor may be released on any thread.
  public nonisolated static var home: (any Actor)? { nil }
}

/// The hooks of a holder that only stores.
public enum NoHooks {}

/// The hooks of a node: `update`, the handlers given to `observe`, and `layout`.
public enum NodeHooks {}

/// A source whose state operators may write: what `pipe(to:)` takes.
///
/// Actors adopt it through `Knotable`, main-actor views through `KnotableView`; both bring `reduce`
/// and `consume` with them. An actor adopts it directly for a state without hooks:
///
/// ```swift
/// actor Session: StateHolder {
///   let knot = Knot(SessionState())
/// }
/// ```
///
/// Code that is generic over holders calls `await holder.reduce { … }`: that reaches the holder's own
/// `reduce`, with its hooks. There is no synchronous form for a generic holder.
public protocol StateHolder<State>: StateSource {
  /// What a holder does beside storing a state: nothing by default; nodes and opticles have their own.
  ///
  /// The synchronous `reduce` of an actor without hooks exists only where this is known to be `NoHooks`.
  associatedtype Hooks = NoHooks

  /// The actor on which the package drops its references to a holder; `nil` where any will do.
  ///
  /// An object of a global actor must not be released elsewhere. `KnotableView` has the main actor here.
  nonisolated static var home: (any Actor)? { get }

  /// Mutates the state in place, in one synchronous step on the holder.
  ///
  /// Any number of concurrent reductions lose no update. Inside the closure the `inout` parameter is
  /// the state: reading the holder's state there, or reducing again, traps.
  ///
  /// - Parameter body: The reducer.
  /// - Returns: What the reducer returns.
  @discardableResult
  func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) async -> R

  /// Reduces every event of a sequence, in a loop that runs on the holder.
  ///
  /// It returns when the sequence ends, which most sequences do when the task is cancelled. The
  /// holder lives as long as the loop; `pipe(to:in:_:)` is the form that does not keep it.
  ///
  /// - Parameters:
  ///   - events: What is reduced.
  ///   - reduce: Brings one event into the state.
  /// - Throws: The sequence's own error; the state keeps its last value.
  func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure)
}

extension StateHolder {
  /// An actor may be released anywhere.
  public nonisolated static var home: (any Actor)? { nil }
}

/// The hooks of a holder that only stores.
public enum NoHooks {}

/// The hooks of a node: `update`, the handlers given to `observe`, and `layout`.
public enum NodeHooks {}

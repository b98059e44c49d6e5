/// Anything that holds a state in a `Knot`: what every operator takes.
///
/// Actors adopt it through `Knotable`, main-actor views through `KnotableView`; both bring `reduce`
/// and `consume` with them. Adopt it directly for a holder without hooks:
///
/// ```swift
/// actor Session: StateHolder {
///   let knot = Knot(SessionState())
/// }
/// ```
public protocol StateHolder<State>: AnyObject, Sendable {
  /// What is held.
  associatedtype State: Sendable

  /// The one stored property that a holder needs.
  nonisolated var knot: Knot<State> { get }

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
  /// The newest state, read synchronously from any thread.
  @inlinable
  public nonisolated var state: State { knot.state }

  /// The current state, then every newer one that the observer is fast enough to see.
  @inlinable
  public nonisolated var states: StateSequence<State> { knot.states }

  /// The current state, then the later ones as far as the buffer has room.
  ///
  /// - Parameter policy: How many states an observer may lag behind; a bound must be at least 1.
  /// - Returns: A sequence that buffers for each iterator on its own.
  public nonisolated func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    knot.states(buffering: policy)
  }

  /// The tasks that live as long as the holder.
  public nonisolated var bag: TaskBag { knot.bag }
}

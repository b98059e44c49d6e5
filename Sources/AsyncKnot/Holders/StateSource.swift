/// Anything whose state can be read: what `filter(with:_:)`, `withState(from:)` and their siblings take.
///
/// Every `StateHolder` is one. Adopt it alone where the state is shown to others and only your own
/// methods may change it:
///
/// ```swift
/// actor Thermometer: StateSource {
///   let session: Session
///   nonisolated var knot: Knot<SessionState> { session.knot }
///   init(of session: Session) { self.session = session }
/// }
/// ```
public protocol StateSource<State>: AnyObject, Sendable {
  /// What is held.
  associatedtype State: Sendable

  /// Where the state is.
  nonisolated var knot: Knot<State> { get }
}

extension StateSource {
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

/// An object whose state can be read: the argument of `filter(with:_:)`, `withState(from:)` and
/// others.
///
/// Every `StateHolder` is a source. Adopt `StateSource` alone if only your own methods may change
/// the state:
///
/// ```swift
/// actor Thermometer: StateSource {
///   let session: Session
///   nonisolated var knot: Knot<SessionState> { session.knot }
///   init(of session: Session) { self.session = session }
/// }
/// ```
public protocol StateSource<State>: AnyObject, Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The knot that stores the state.
  nonisolated var knot: Knot<State> { get }
}

extension StateSource {
  /// The newest state, read synchronously from any thread.
  ///
  /// A reducer must not read it, neither its own holder's nor another one's.
  @inlinable
  public nonisolated var state: State { knot.state }

  /// The current state, then every newer one that the observer is fast enough to see.
  @inlinable
  public nonisolated var states: StateSequence<State> { knot.states }

  /// The current state, then the later ones as far as the buffer has room.
  ///
  /// - Parameter policy: How many states an observer may lag behind; traps if a bound is below 1.
  /// - Returns: A sequence each iterator of which has its own buffer.
  public nonisolated func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    knot.states(buffering: policy)
  }

  /// The bag of the holder's tasks; they are cancelled when the holder goes.
  public nonisolated var bag: TaskBag { knot.bag }
}

extension StateSource {
  /// The states as an `AsyncStream`, for APIs that want the standard type.
  ///
  /// - Parameter policy: How many states the consumer may lag behind; traps if a bound is below 1.
  /// - Returns: A stream that ends when the holder goes; dropping it removes the observer.
  public nonisolated func stateStream(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncStream<State> {
    knot.stateStream(buffering: policy)
  }
}

/// Ties one holder to its observers: the state, its version, the bag, the mailbox.
///
/// A holder stores one, and nothing else is needed to expose its state:
///
/// ```swift
/// actor Counter: StateHolder {
///   let knot = Knot(0)
/// }
/// ```
///
/// Anybody reads the state, from any thread, without waiting for the holder. Only the holder writes it,
/// through the methods that `Knotable` and its siblings add. When the knot goes, its sequences end.
public final class Knot<State: Sendable>: Sendable {
  @usableFromInline let core: KnotCore<State>

  @usableFromInline let firstCompanion = OnceReference()

  /// The tasks that live as long as the holder: they are cancelled when it goes.
  public let bag = TaskBag()

  /// Creates a knot that holds a first state.
  ///
  /// - Parameter initial: The state that observers see first.
  public init(_ initial: State) {
    core = KnotCore(initial)
  }

  /// Creates a knot that starts at the default state.
  public convenience init() where State: KnotState {
    self.init(State.defaultState())
  }

  deinit { core.finish() }

  /// The newest state, read synchronously from any thread.
  ///
  /// Reading it inside a reducer of the same holder is a programmer error and traps.
  ///
  /// - Complexity: O(1); one uncontended lock.
  @inlinable
  public var state: State { core.state }

  /// The current state, then every newer one that the observer is fast enough to see.
  ///
  /// A slow observer skips to the newest state and costs the writer nothing.
  @inlinable
  public var states: StateSequence<State> { StateSequence(core: core, policy: nil) }

  /// The current state, then the later ones as far as the buffer has room.
  ///
  /// ```swift
  /// for await state in node.states(buffering: .unbounded) { print(state) }   // misses none
  /// ```
  ///
  /// Each iterator begins to buffer when it is made. Whatever the policy drops, the last state always
  /// arrives: a full `bufferingOldest` buffer is followed by the newest state.
  ///
  /// - Parameter policy: How many states an observer may lag behind; a bound must be at least 1.
  /// - Returns: A sequence that buffers for each iterator on its own.
  public func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    policy.checkRoom(for: "state", in: "states(buffering:)")
    return StateSequence(core: core, policy: policy)
  }
}

extension AsyncStream.Continuation.BufferingPolicy {
  /// Traps when a bounded buffer has no room at all.
  func checkRoom(for element: String, in call: String) {
    switch self {
    case .bufferingNewest(let limit), .bufferingOldest(let limit):
      precondition(limit >= 1, "\(call): needs room for one \(element); got \(limit)")
    case .unbounded: break
    @unknown default: break
    }
  }
}

/// Ties one holder to its observers: the state, its version, the bag, the mailbox.
///
/// A holder stores one knot, and needs nothing else to expose its state:
///
/// ```swift
/// actor Counter: StateHolder {
///   let knot = Knot(0)
/// }
/// ```
///
/// Any thread reads the state synchronously, without waiting for the holder. Only the holder writes
/// it, through the methods that `Knotable` and its siblings add. When the knot is released, its
/// sequences end.
public final class Knot<State: Sendable>: Sendable {
  @usableFromInline let core: KnotCore<State>

  @usableFromInline let firstCompanion = OnceReference()

  /// The bag of the holder's tasks; they are cancelled when the holder goes.
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
  /// A reducer must not read it, neither its own holder's nor another one's: a debug build traps at
  /// the read, a release build only if the read would wait for ever.
  ///
  /// - Complexity: O(1); one uncontended lock.
  @inlinable
  public var state: State { core.state }

  /// The current state, then every newer one that the observer is fast enough to see.
  ///
  /// A slow observer skips to the newest state and costs the writer nothing. See ``StateSequence``
  /// for the end, isolation and cancellation.
  @inlinable
  public var states: StateSequence<State> { StateSequence(core: core, policy: nil) }

  /// The current state, then the later ones as far as the buffer has room.
  ///
  /// ```swift
  /// for await state in node.states(buffering: .unbounded) { print(state) }   // misses none
  /// ```
  ///
  /// Each iterator starts to buffer when it is made. The last state always arrives, whatever the
  /// policy drops: a full `bufferingOldest` buffer is followed by the newest state.
  ///
  /// - Parameter policy: How many states an observer may lag behind; traps if a bound is below 1.
  /// - Returns: A sequence each iterator of which has its own buffer.
  public func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    policy.checkRoom(for: "state", in: "states(buffering:)")
    return StateSequence(core: core, policy: policy)
  }
}

extension AsyncStream.Continuation.BufferingPolicy {
  /// Traps if a bounded buffer has no room for one element.
  func checkRoom(for element: String, in call: String) {
    switch self {
    case .bufferingNewest(let limit), .bufferingOldest(let limit):
      precondition(limit >= 1, "\(call): needs room for one \(element); got \(limit)")
    case .unbounded: break
    @unknown default: break
    }
  }
}

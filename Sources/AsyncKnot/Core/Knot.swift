internal import Synchronization

/// Ties one holder to its observers: the state, its version, the bag.
///
/// A holder stores one knot, and needs nothing else to expose its state:
///
/// ```swift
/// actor Counter: StateActor {
///   let knot = Knot(0)
/// }
/// ```
///
/// Any thread reads the state synchronously, without waiting for the holder. Only the holder writes
/// it, through the methods that `Knotable` and its siblings add. When the knot is released, its
/// sequences end.
public final class Knot<State: Sendable>: StateSource {
  @usableFromInline let core: KnotCore<State>

  /// Objects that sibling modules store with the holder, one per type; see `withCompanion`.
  @usableFromInline let firstCompanion = OnceReference()
  let otherCompanions = Mutex<[any Sendable & AnyObject]>([])

  /// The bag of the holder's tasks; they are cancelled when the holder goes.
  public let bag = TaskBag()

  /// What ends with the holder, though it belongs to another bag.
  @usableFromInline let dependents = TaskBag()

  /// Creates a knot with the state that observers see first.
  public init(_ initial: State) {
    core = KnotCore(initial)
  }

  /// Creates a knot that starts at the default state.
  public convenience init() where State: KnotState {
    self.init(State.defaultState())
  }

  deinit { core.finish() }

  /// This knot: it is the source of its own states.
  public var knot: Knot<State> { self }

  /// The newest state, read synchronously from any thread.
  ///
  /// A reducer must not read it, neither its own holder's nor another one's: that ends the program.
  ///
  /// - Complexity: O(1); one uncontended lock.
  @inlinable
  public var state: State { core.state }
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

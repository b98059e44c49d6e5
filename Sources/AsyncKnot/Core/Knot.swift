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
  public init(_ initial: State) { core = KnotCore(initial) }

  /// Is refused: the state has no default.
  @available(
    *, unavailable,
    message: "this state has no default: write 'Knot(…)' with the first state, or adopt KnotState"
  )
  public convenience init() { fatalError("Knot(): this state has no default") }

  /// Creates a knot that starts at the default state.
  public convenience init() where State: KnotState {
    self.init(State.defaultState())
  }

  /// Creates the knot of a derived source, whose observers need its core alone.
  init(core: KnotCore<State>) { self.core = core }

  deinit { if core.derivation == nil { core.finish() } }

  /// This knot: it is the source of its own states.
  public var knot: Knot<State> { self }

  /// The newest state, read synchronously from any thread.
  ///
  /// A reducer must not read it, neither its own holder's nor another one's: that ends the program.
  ///
  /// - Complexity: O(1); one uncontended lock.
  @inlinable public var state: State { core.state }
}

extension Knot {
  /// Mutates the state in place, on the holder's isolation; traps if another object writes this knot.
  ///
  /// A body that throws must have left the state as it was: it is no write.
  @inlinable @discardableResult
  package func write<Result: Sendable, Failure>(
    by holder: ObjectIdentifier, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.write(by: holder, callsHooks: false, body).0
  }

  /// Returns when a write that another thread has begun has ended; within a reducer this happens
  /// after the reducer.
  package func waitForWrite() { Reducer.afterwards { [core] in core.withStorage { _ in } } }

  /// Replaces the state; returns the old one, which the caller releases outside the lock.
  @inlinable @discardableResult
  package func exchange(for state: State, by holder: ObjectIdentifier) -> State {
    core.exchange(for: state, by: holder, callsHooks: false).0
  }

  /// Ends the sequences of a knot whose holder goes before it.
  package func finish() { core.finish() }

  @usableFromInline
  package static func refuseSecondHolder() -> Never {
    fatalError(
      """
      Two holders share one Knot<\(State.self)>: only one object may write it and have its hooks \
      called. Give each holder a knot of its own, or let the second adopt StateSource, which only reads.
      """)
  }

  /// The number of states accepted so far, the initial one included.
  package var version: UInt64 { core.withStorage { $0.version } }

  /// The number of registered observers: buffering ones, those that wait now, and handlers.
  package var observerCount: Int { observerCounter() }

  /// Counts the registered observers, also after the knot is gone.
  package var observerCounter: @Sendable () -> Int {
    { [core] in core.withStorage { $0.waiting.count + $0.inboxes.count + $0.handlers.count } }
  }

  /// Calls a body with the one object of a type that a sibling module stores with the holder.
  ///
  /// It is made at its first use, perhaps twice; the first companion is found without a lock.
  @inlinable
  package func withCompanion<Object: AnyObject & Sendable, Result>(
    _ make: @Sendable () -> Object, _ body: (Object) -> Result
  ) -> Result {
    firstCompanion.withObject(Object.self, body) ?? body(makeCompanion(make))
  }

  @usableFromInline
  func makeCompanion<Object: AnyObject & Sendable>(_ make: @Sendable () -> Object) -> Object {
    let candidate = make()
    if let object = firstCompanion.storeIfNil(candidate) as? Object { return object }
    return otherCompanions.withLock { companions in
      for companion in companions {
        if let object = companion as? Object { return object }
      }
      companions.append(candidate)
      return candidate
    }
  }
}

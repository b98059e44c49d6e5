internal import Synchronization

/// Stores the state of one holder and connects the holder to its observers.
///
/// A holder stores one knot and needs nothing else to expose its state:
///
/// ```swift
/// actor Counter: StateActor {
///   let knot = Knot(0)
/// }
/// ```
/// Any thread can read the state synchronously, without waiting for the holder. Only the holder can write it, through the methods
/// of `StateActor`, `Knotable` or `KnotableView`. When the knot is released, its sequences end.
public final class Knot<State: Sendable>: StateSource {
  @usableFromInline let core: KnotCore<State>

  /// Objects that other modules store with the holder, at most one of each type; see `withCompanion`.
  @usableFromInline let firstCompanion = OnceReference()
  let otherCompanions = Mutex<[any Sendable & AnyObject]>([])

  /// The bag of the holder's tasks, which are cancelled when the holder is released.
  public let bag = TaskBag()

  /// Tasks that belong to another bag, but also end when the holder is released.
  @usableFromInline let dependents = TaskBag()

  /// Creates a knot with an initial state, which observers receive like any later state.
  public init(_ initial: State) { core = KnotCore(initial) }

  /// Unavailable: the state has no default.
  @available(
    *, unavailable,
    message: "this state has no default: make it a KnotState, or pass an initial state to 'Knot(…)'"
  )
  public convenience init() { fatalError("Knot(): this state has no default") }

  /// Creates a knot with the default state.
  public convenience init() where State: KnotState {
    self.init(State.defaultState())
  }

  /// Creates the knot of a derived source.
  ///
  /// The knot's sequences can outlive the knot, because observers need only the core.
  init(core: KnotCore<State>) { self.core = core }

  deinit {
    if core.derivation == nil { core.finish() }
    // The bag may outlive the knot, for example while a task waits for the bag's other tasks.
    bag.cancel()
  }

  /// This knot, because a knot is the source of its own states.
  public var knot: Knot<State> { self }

  /// The newest state, read synchronously from any thread.
  ///
  /// Traps if a reducer reads it, because a reducer may not use any holder, not even its own.
  ///
  /// - Complexity: O(1), with one lock. A ``Derived`` source may compute the state first.
  @inlinable public var state: State { core.state }
}

extension Knot {
  /// Mutates the state in place, on the holder's isolation; traps if another object writes this knot.
  ///
  /// If `body` throws, the call does not count as a write, so `body` must leave the state unchanged.
  @inlinable @discardableResult
  package func write<Result: Sendable, Failure>(
    by holder: ObjectIdentifier, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.write(by: holder, callsHooks: false, body).0
  }

  /// Mutates the state in place like `write`, but does not notify the observers.
  ///
  /// After the caller has released its own lock, it publishes the returned news, and finally calls `Reducer.carryOutEndings()`.
  @inlinable
  package func writeUnpublished<Result: Sendable, Failure>(
    by holder: ObjectIdentifier, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> (Result, News<State>?) {
    let (result, _, news) = try core.writeUnpublished(by: holder, callsHooks: false, body)
    return (result, news)
  }

  /// Waits for the end of a write that another thread has begun, then calls `others`.
  ///
  /// If a reducer is running on this thread, both happen after the reducer.
  package func waitForWrite(and others: @escaping @Sendable () -> Void) {
    Reducer.afterwards { [core] in
      core.withStorage { _ in }
      others()
    }
  }

  /// Replaces the state and returns the old one, which the caller releases outside the lock.
  @inlinable @discardableResult
  package func exchange(for state: State, by holder: ObjectIdentifier) -> State {
    core.exchange(for: state, by: holder, callsHooks: false).0
  }

  /// Ends the sequences of a knot that outlives its holder.
  package func finish() { core.finish() }

  @usableFromInline
  package static func refuseSecondHolder() -> Never {
    fatalError(
      """
      Two holders share one Knot<\(State.self)>. Only one object may write a knot, and only that \
      object's hooks are called. Give each holder its own knot, or let the second holder adopt \
      StateSource, so that it only reads the knot.
      """)
  }

  /// The number of states accepted so far, including the initial one.
  package var version: UInt64 { core.version }

  /// The number of buffering observers, waiting observers and handlers.
  package var observerCount: Int { observerCounter() }

  /// A closure that counts the registered observers, even after the knot is released.
  package var observerCounter: @Sendable () -> Int {
    { [core] in core.withStorage { $0.waiting.count + $0.inboxes.count + $0.handlers.count } }
  }

  /// Calls `body` with the holder's companion of a given type: an object that another module stores with the holder.
  ///
  /// The companion is created on first use. Two threads may each create one; the first stored wins. Later calls find the first
  /// companion without a lock.
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

public import Synchronization

/// The part of a knot that its observers share; it lives until the holder and all observers are
/// gone.
@usableFromInline
final class KnotCore<State: Sendable>: Waiting {
  /// What `read(after:)` found for a conflating observer.
  @usableFromInline
  enum Reading: Sendable {
    /// A state that the observer has not seen, and its version.
    case state(State, version: UInt64)
    /// There is no newer state. A place was reserved in the same critical section; this is its
    /// ticket.
    case wait(UInt64)
    /// There is no newer state, and the holder is gone.
    case finished
  }

  @usableFromInline let reducer = ReducerMark()
  @usableFromInline let storage: Mutex<KnotStorage<State>>

  /// The state of the holder's turn: which hooks run or are due.
  @usableFromInline let turn = Turn()

  init(_ state: State) {
    storage = Mutex(KnotStorage(state))
  }

  /// The newest accepted state.
  @inlinable
  var state: State {
    checkApart()
    return withStorage { $0.state }
  }

  /// Runs a transition under the lock.
  ///
  /// A reducer is the only user code that may run in the transition.
  @inlinable
  func withStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    if let result = attempt(body) { return result }
    return withContendedStorage(body)
  }

  /// Runs a transition unless the caller would have to wait for a reducer.
  ///
  /// On Linux a failed attempt to take a `Mutex` calls the kernel, which takes longer than to wait
  /// for another transition.
  @inlinable
  func attempt<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result? {
    if reducer.isRunning { return nil }
    #if os(Linux)
      return storage.withLock(body)
    #else
      return storage.withLockIfAvailable(body)
    #endif
  }

  /// Waits for a reducer to end, and runs a transition; most reducers end after a moment.
  ///
  /// A caller that is in a reducer itself may wait for ever: it traps after a second (S11, S18), in
  /// a debug build at once if the reducer is this holder's.
  @usableFromInline @inline(never)
  func withContendedStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    #if DEBUG
      reducer.checkReentry(State.self)
    #endif
    for _ in 0..<Self.attempts {
      if let result = attempt(body) { return result }
    }
    guard let fault = reducer.faultIfReducing(State.self) else { return storage.withLock(body) }
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      if let result = storage.withLockIfAvailable(body) { return result }
    }
    fatalError(fault)
  }

  /// How often a caller looks whether a running reducer has returned before it does more.
  static var attempts: Int { 1_000 }

  /// Traps, in a debug build, when this is called from a reducer.
  @inlinable
  func checkApart() {
    #if DEBUG
      reducer.check(State.self)
    #endif
  }

  @inlinable
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result {
    withStorage { body(&$0.waiting) }
  }

  /// The newest state if the observer has not seen it; else reserves a place to wait.
  ///
  /// - Parameter version: The version that the observer has seen; 0 for a new observer.
  /// - Returns: The state, the reserved place, or the end.
  @inlinable
  func read(after version: UInt64) -> Reading {
    checkApart()
    return withStorage { storage in
      if storage.version != version {
        return .state(storage.state, version: storage.version)
      }
      return storage.isFinished ? .finished : .wait(storage.waiting.reserve())
    }
  }

  /// Ends all sequences and calls the endings; called when the holder goes.
  func finish() {
    var woken = WaitList.Woken()
    let rest = withStorage { storage in
      storage.isFinished = true
      woken = storage.waiting.wake()
      return storage.takeOwned()
    }
    woken.resume()
    for inbox in rest.inboxes { inbox.finish() }
    for end in rest.endings { end() }
  }
}

public import Synchronization

/// The part of a knot that its observers share; it lives until the holder and all observers are
/// gone.
@usableFromInline
final class KnotCore<State: Sendable>: Waiting, Locked {
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

  @usableFromInline let storage: Mutex<KnotStorage<State>>
  @usableFromInline let reducer = ReducerMark()

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
    if let result = storage.withLockIfAvailable(body) { return result }
    return withContendedStorage(body)
  }

  /// Waits for the lock when the first attempt failed; most owners release it within a few
  /// attempts.
  ///
  /// A caller that would wait for ever, because reducers wait for each other, traps after a second
  /// (S18).
  @usableFromInline @inline(never)
  func withContendedStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    for _ in 0..<100 {
      if let result = storage.withLockIfAvailable(body) { return result }
    }
    var local: UInt8 = 0
    let frame = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    let fault = ReducerWaits.begin(for: self, at: frame)
    defer { ReducerWaits.end(at: frame) }
    guard let fault else { return storage.withLock(body) }
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      if let result = storage.withLockIfAvailable(body) { return result }
    }
    fatalError(fault)
  }

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

  /// Removes the place of a consumer and wakes it.
  ///
  /// A reducer may cancel a task that waits for its own holder, or drop a bag with such a task. Its
  /// lock is taken then, and need not be: the end of every reducer wakes all consumers that waited
  /// when it began.
  @usableFromInline
  func withdraw(_ ticket: UInt64) {
    for _ in 0..<100 {
      if let place = storage.withLockIfAvailable({ $0.waiting.remove(ticket) }) {
        place?.wake()
        return
      }
      if reducer.isRunning { return }
    }
    withStorage { $0.waiting.remove(ticket) }?.wake()
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

extension KnotCore {
  var reducerFrame: UInt { reducer.frame.load(ordering: .relaxed) }

  var stateName: String { "\(State.self)" }
}

public import Synchronization

/// The part of a knot that its observers share: it outlives the holder until the last one has ended.
@usableFromInline
final class KnotCore<State: Sendable>: Waiting, Locked {
  /// What a conflating observer finds.
  @usableFromInline
  enum Reading: Sendable {
    /// A state it has not seen, and its version.
    case state(State, version: UInt64)
    /// It has seen everything: a place was taken in the same critical section.
    case wait(UInt64)
    /// It has seen everything, and the holder is gone.
    case finished
  }

  @usableFromInline let storage: Mutex<KnotStorage<State>>
  @usableFromInline let reducer = ReducerMark()

  /// Where the holder is in telling its own hooks.
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
  /// Only a reducer runs user code there.
  @inlinable
  func withStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    if let result = storage.withLockIfAvailable(body) { return result }
    return withContendedStorage(body)
  }

  /// Waits for whoever holds the lock; most let go of it within a few attempts.
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

  /// Reads for an observer that has seen `version`.
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

  /// Ends the sequences: the holder is gone.
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

public import Synchronization

/// The part of a knot that its observers share: it outlives the holder until the last one has ended.
@usableFromInline
final class KnotCore<State: Sendable>: Waiting {
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
  @usableFromInline let reentry = ReentryCheck()

  /// Where the holder is in telling its own hooks.
  @usableFromInline let turn = Turn()

  init(_ state: State) {
    storage = Mutex(KnotStorage(state))
  }

  /// The newest accepted state.
  @inlinable
  var state: State { withStorage { $0.state } }

  /// Runs a transition under the lock.
  ///
  /// Only a reducer runs user code there.
  @inlinable
  func withStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    #if DEBUG
      if let result = storage.withLockIfAvailable(body) { return result }
      reentry.check(State.self)
    #endif
    return storage.withLock(body)
  }

  @inlinable
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result {
    withStorage { body(&$0.waiting) }
  }

  /// Reads for an observer that has seen `version`.
  @inlinable
  func read(after version: UInt64) -> Reading {
    withStorage { storage in
      if storage.version != version {
        return .state(storage.state, version: storage.version)
      }
      return storage.isFinished ? .finished : .wait(storage.waiting.reserve())
    }
  }

  /// Ends the sequences: the holder is gone.
  func finish() {
    var woken = WaitList.Woken()
    let (inboxes, handlers, companions) = withStorage { storage in
      let (handlers, companions) = (storage.handlers, storage.companions)
      storage.isFinished = true
      storage.handlers = SlotTable()
      storage.companions = []
      woken = storage.waiting.wake()
      return (storage.inboxes.elements, handlers, companions)
    }
    woken.resume()
    for inbox in inboxes { inbox.finish() }
    withExtendedLifetime((handlers, companions)) {}
  }
}

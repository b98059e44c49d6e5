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
  /// The task that runs a reducer now; 0 when none does, or when it runs outside of any task.
  @usableFromInline let reducingTask = Atomic<Int>(0)

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
  /// Only a reducer runs user code there. When the lock is taken, and by a reducer of this very task,
  /// waiting for it would never end.
  @inlinable
  func withStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    if let result = storage.withLockIfAvailable(body) { return result }
    checkReentry()
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

  /// Traps when this task is the one that runs the reducer.
  @usableFromInline
  func checkReentry() {
    let reducing = reducingTask.load(ordering: .relaxed)
    precondition(
      reducing == 0 || reducing != currentTaskIdentity(),
      """
      A reducer must not read its holder's state or reduce again: the state that it got as \
      'inout \(State.self)' is the newest, and the holder is locked until the reducer returns (S11).
      """)
  }
}

/// Tells the running task from all other running ones; 0 outside of tasks.
@usableFromInline
func currentTaskIdentity() -> Int {
  unsafe withUnsafeCurrentTask { unsafe $0?.hashValue ?? 0 }
}

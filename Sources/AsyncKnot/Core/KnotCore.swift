public import Synchronization

/// The part of a knot that its observers share; it lives until holder and observers are gone.
@usableFromInline
final class KnotCore<State: Sendable>: Sendable {
  @usableFromInline let storage: Mutex<KnotStorage<State>>

  /// The state of the holder's turn: which hooks run or are due.
  @usableFromInline let turn = Turn()

  init(_ state: State) {
    storage = Mutex(KnotStorage(state))
  }

  @inlinable
  var state: State { withStorage { $0.state } }

  /// Runs a transition under the lock; ends the program if the caller is in a reducer (S11).
  @inlinable
  func withStorage<Result>(
    _ body: (inout sending KnotStorage<State>) -> sending Result
  ) -> sending Result {
    if Reducer.isRunning { Reducer.refuse(State.self) }
    return storage.withLock(body)
  }

  /// Runs a reducer under the lock, on the holder's isolation, and notifies the observers; returns
  /// what it returned, and what the caller delivers to the hooks.
  @inlinable @inline(__always)
  func write<Result: Sendable>(
    by holder: ObjectIdentifier, callsHooks: Bool = true, _ body: (inout State) -> Result
  ) -> (Result, Delivery<State>?) {
    var news: News<State>?
    var delivery: Delivery<State>?
    let result = withStorage { storage in
      Reducer.begin(State.self)
      let result = body(&storage.state)
      Reducer.end()
      storage.claim(for: holder)
      storage.version &+= 1
      if !storage.isUnobserved { news = News(from: &storage) }
      if callsHooks {
        delivery = (storage.state, storage.handlers.isEmpty ? nil : storage.handlers.slots)
      }
      return result
    }
    Reducer.carryOutEndings()
    news?.publish()
    return (result, delivery)
  }

  /// Replaces the state; returns the old one.
  @inlinable
  func exchange(
    for state: State, by holder: ObjectIdentifier, callsHooks: Bool = true
  ) -> (State, Delivery<State>?) {
    write(by: holder, callsHooks: callsHooks) { current in
      defer { current = state }
      return current
    }
  }

  /// Takes something out of the storage, after the running reducer, and releases it outside the lock.
  func remove<Removed: Sendable>(
    _ take: @escaping @Sendable (inout KnotStorage<State>) -> Removed?
  ) {
    Reducer.afterwards { [self] in
      _ = withStorage { take(&$0) }
    }
  }

  func subscribe(_ policy: InboxState<State>.Policy) -> Subscription<State> {
    let inbox = Inbox<State>(policy: policy, keepsLast: true)
    let ticket = withStorage { storage in
      _ = inbox.deposit(storage.state)
      if storage.isFinished { inbox.finish() }
      return storage.inboxes.insert(inbox)
    }
    return Subscription(inbox) { [self] in remove { $0.inboxes.remove(ticket) } }
  }

  /// Ends all sequences and releases the handlers; called when the holder goes.
  func finish() {
    Reducer.afterwards { [self] in
      let (news, handlers) = withStorage { storage in
        storage.isFinished = true
        return (News(from: &storage), storage.handlers.removeAll())
      }
      news.publish(isLast: true)
      withExtendedLifetime(handlers) {}
    }
  }
}

/// Conflating observers wait for a core; their position is the version that they have seen.
extension KnotCore: Waitable {
  @usableFromInline typealias Found = (state: State, version: UInt64)

  /// The newest state if the observer has not seen it; 0 is the version of a new observer.
  @inlinable
  func takeIfReady(after version: UInt64) -> Found? {
    Task.isCancelled
      ? nil
      : withStorage { $0.version == version ? nil : ($0.state, $0.version) }
  }

  @inlinable
  func take(after version: UInt64, for waiter: Waiter) -> Taken<Found> {
    withStorage { storage in
      if storage.version != version { return .found((storage.state, storage.version)) }
      return storage.isFinished ? .finished : .wait(ticket: storage.waiting.insert(waiter))
    }
  }

  @usableFromInline
  func leave(_ ticket: UInt64) { _ = withStorage { $0.waiting.remove(ticket) } }
}

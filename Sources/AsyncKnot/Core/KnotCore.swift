public import Synchronization

/// The part of a knot that the observers share.
///
/// The core lives until the holder and all observers are released.
@usableFromInline
final class KnotCore<State: Sendable>: Sendable {
  @usableFromInline let storage: Mutex<KnotStorage<State>>

  /// The hooks that are running or waiting to run.
  ///
  /// Only the holder's isolation uses this property.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var turn = Turn<State>()

  /// The derivation that computes this core's states from those of other cores; `nil` if a holder writes the states.
  @usableFromInline let derivation: Derivation<State>?

  init(_ state: State, by derivation: Derivation<State>? = nil) {
    storage = Mutex(KnotStorage(state))
    self.derivation = derivation
  }

  @inlinable var state: State {
    refresh()
    return withStorage { $0.state }
  }

  /// Calls `body` with the storage, under the lock; traps if the caller is in a reducer (S11).
  @inlinable
  func withStorage<Result, Failure>(
    _ body: (inout sending KnotStorage<State>) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    if Reducer.isRunning { Reducer.refuse(State.self) }
    return try storage.withLock(body)
  }

  /// Runs a reducer under the lock, on the holder's isolation, and notifies the observers.
  ///
  /// Returns the reducer's result and the delivery that the caller passes to the hooks.
  ///
  /// If the body throws, the version does not change and no observer is notified.
  @inlinable @inline(__always)
  func write<Result: Sendable, Failure>(
    by holder: ObjectIdentifier, callsHooks: Bool = true,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> (Result, Delivery<State>?) {
    let (result, delivery, news) = try writeUnpublished(
      by: holder, callsHooks: callsHooks, body)
    news?.publish()
    // A deferred closure or the deinit of a dropped state may write this state again. If there are hooks, `runTurn` calls them.
    if !callsHooks { Reducer.carryOutEndings() }
    return (result, delivery)
  }

  /// Runs the part of `write` that needs the lock; the caller notifies the observers.
  @inlinable @inline(__always)
  func writeUnpublished<Result: Sendable, Failure>(
    by holder: ObjectIdentifier, callsHooks: Bool,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> (Result, Delivery<State>?, News<State>?) {
    var news: News<State>?
    var delivery: Delivery<State>?
    let result = try withStorage { storage throws(Failure) in
      Reducer.begin(State.self)
      defer { Reducer.end() }
      let result = try body(&storage.state)
      storage.claim(for: holder)
      storage.version &+= 1
      if !storage.isUnobserved { news = News(from: &storage) }
      if callsHooks {
        delivery = (storage.state, storage.handlers.isEmpty ? nil : storage.handlers.slots)
      }
      return result
    }
    return (result, delivery, news)
  }

  /// Replaces the state and returns the old one.
  @inlinable
  func exchange(
    for state: State, by holder: ObjectIdentifier, callsHooks: Bool = true
  ) -> (State, Delivery<State>?) {
    write(by: holder, callsHooks: callsHooks) { current in
      defer { current = state }
      return current
    }
  }

  /// Removes an observer from the storage, after any running reducer, and releases it outside the lock.
  func remove<Removed: Sendable>(
    _ take: @escaping @Sendable (inout KnotStorage<State>) -> Removed?
  ) {
    Reducer.afterwards { [self] in
      _ = withStorage { take(&$0) }
      unfollow()
    }
  }

  func subscribe(_ policy: InboxState<State>.Policy) -> Subscription<State> {
    let inbox = Inbox<State>(policy: policy, keepsLast: true)
    refresh()
    let (ticket, demand) = withStorage { storage in
      _ = inbox.deposit(storage.state)
      if storage.isFinished { inbox.finish() }
      return (storage.inboxes.insert(inbox), storage.demand.take())
    }
    demand?.ring()
    follow()
    return Subscription(inbox) { [self] in remove { $0.inboxes.remove(ticket) } }
  }

  /// Ends all sequences and releases the handlers; called when the holder is released.
  func finish() {
    Reducer.afterwards { [self] in
      let (news, handlers, demand) = withStorage { storage in
        storage.isFinished = true
        return (News(from: &storage), storage.handlers.removeAll(), storage.demand.take())
      }
      demand?.ring()
      news.publish(isLast: true)
      withExtendedLifetime(handlers) {}
    }
  }
}

/// Conflating observers wait for a core. Their position is the last version that they have seen.
extension KnotCore: Waitable {
  @usableFromInline typealias Found = (state: State, version: UInt64)

  /// Returns the newest state, or `nil` if the observer has seen it or the task is cancelled.
  ///
  /// An observer that has not seen any state passes the version 0.
  @inlinable
  func takeIfReady(after version: UInt64) -> Found? {
    if Task.isCancelledNow { return nil }
    refresh()
    return withStorage { $0.version == version ? nil : ($0.state, $0.version) }
  }

  @inlinable @inline(never)
  func take(after version: UInt64, for waiter: Waiter) -> Taken<Found> {
    refresh()
    let (taken, demand): (Taken<Found>, Waiter?) = withStorage { storage in
      if storage.version != version { return (.found((storage.state, storage.version)), nil) }
      if storage.isFinished { return (.finished, nil) }
      return (.wait(ticket: storage.waiting.insert(waiter)), storage.demand.take())
    }
    demand?.ring()
    if case .wait = taken { follow() }
    return taken
  }

  @usableFromInline
  func leave(_ ticket: UInt64) {
    _ = withStorage { $0.waiting.remove(ticket) }
    unfollow()
  }
}

/// The state and the observers of a knot, which the knot's lock protects.
@usableFromInline
struct KnotStorage<State: Sendable> {
  @usableFromInline var state: State
  /// The number of accepted states, including the initial one.
  @usableFromInline var version: UInt64 = 1
  /// The identity of the only object that writes the state; `nil` before that object's first write or `observe`.
  @usableFromInline var holder: ObjectIdentifier?
  /// Conflating observers that have seen the current version, and derived cores.
  @usableFromInline var waiting = SlotTable<any Wakeable>()
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  @usableFromInline var handlers = SlotTable<Handler<State>>()
  @usableFromInline var isFinished = false
  /// The waiter of the task that is waiting for an observer; see `Demand`.
  @usableFromInline var demand: Waiter?

  init(_ state: State) { self.state = state }

  /// Whether no sequence or derived core waits for a state or buffers states.
  @inlinable var isUnobserved: Bool { waiting.isEmpty && inboxes.isEmpty }

  /// Makes `object` the only writer of this knot; hooks and handlers run on the object's isolation.
  ///
  /// Traps if the knot already has another writer.
  @inlinable
  mutating func claim(for object: ObjectIdentifier) {
    if holder != object { claimFirst(for: object) }
  }

  @usableFromInline
  mutating func claimFirst(for object: ObjectIdentifier) {
    guard holder == nil else { Knot<State>.refuseSecondHolder() }
    holder = object
  }
}

/// The observers to notify of an accepted state once the lock is released.
@usableFromInline
package struct News<State: Sendable>: Sendable {
  @usableFromInline let woken: [SlotTable<any Wakeable>.Slot]
  /// The accepted state; `nil` if no observer buffers.
  @usableFromInline let state: State?
  @usableFromInline let inboxes: [SlotTable<Inbox<State>>.Slot]

  @inlinable
  init(from storage: inout KnotStorage<State>) {
    woken = storage.waiting.removeAll()
    inboxes = storage.inboxes.slots
    state = inboxes.isEmpty ? nil : storage.state
  }

  /// Notifies the waiting observers and then the buffering ones, each group in the order of registration.
  ///
  /// The caller must not hold a lock.
  @inlinable @inline(never)
  package func publish(isLast: Bool = false) {
    if !woken.isEmpty { Spawn.preemptionPoint() }
    for slot in woken { slot.element?.ring() }
    var dropped: [State] = []
    for slot in inboxes {
      if isLast {
        slot.element?.finish()
      } else if let state, let deposit = slot.element?.deposit(state) {
        if let old = deposit.dropped { dropped.append(old) }
        deposit.woken?.ring()
      }
    }
    if !dropped.isEmpty { Reducer.release(dropped) }
  }
}

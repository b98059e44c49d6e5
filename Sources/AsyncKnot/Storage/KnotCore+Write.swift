/// Writing. Only the holder writes, on its isolation, so no two writes overlap.
extension KnotCore {
  /// Mutates the state in place and notifies the observers; the caller calls the hooks.
  ///
  /// The reducer runs under the lock. Traps in a debug build when it is called from a reducer.
  ///
  /// - Parameters:
  ///   - holder: The identity of the holder, the same in every call.
  ///   - callsHooks: Whether the holder has hooks.
  ///   - body: The reducer.
  /// - Returns: The reducer's result, and the delivery for the holder's hooks, if it has any.
  /// - Complexity: O(observers that wait or buffer).
  @inlinable
  func write<Result: Sendable>(
    by holder: ObjectIdentifier, callsHooks: Bool = true, _ body: (inout State) -> Result
  ) -> (Result, Delivery<State>?) {
    checkApart()
    var news: News<State>?
    var delivery: Delivery<State>?
    let result = withStorage { storage in
      let cell = reducer.begin(State.self)
      let result = body(&storage.state)
      reducer.end(cell)
      accept(in: &storage, by: holder, callsHooks, news: &news, delivery: &delivery)
      return result
    }
    if var news = news.take() { publish(&news) }
    return (result, delivery)
  }

  /// Replaces the state and notifies the observers; the caller calls the hooks.
  ///
  /// The old state is released outside the lock.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - holder: As in `write(by:callsHooks:_:)`.
  ///   - callsHooks: As in `write(by:callsHooks:_:)`.
  /// - Returns: The delivery for the holder's hooks, if it has any.
  @inlinable
  func replace(
    with state: State, by holder: ObjectIdentifier, callsHooks: Bool = true
  ) -> Delivery<State>? {
    checkApart()
    var news: News<State>?
    var delivery: Delivery<State>?
    _ = withStorage { storage in
      let old = storage.state
      storage.state = state
      accept(in: &storage, by: holder, callsHooks, news: &news, delivery: &delivery)
      return old
    }
    if var news = news.take() { publish(&news) }
    return delivery
  }

  /// Increments the version after a write and collects the observers and handlers to notify.
  @inlinable
  func accept(
    in storage: inout KnotStorage<State>, by holder: ObjectIdentifier, _ callsHooks: Bool,
    news: inout News<State>?, delivery: inout Delivery<State>?
  ) {
    storage.claim(for: holder)
    storage.version &+= 1
    if !storage.isUnobserved { news = storage.collectNews() }
    guard callsHooks else { return }
    delivery = Delivery(state: storage.state, handlers: storage.handlers.slots)
  }

  /// Notifies the observers that a write collected; no lock may be held.
  @inlinable
  func publish(_ news: inout News<State>) {
    if !news.woken.isEmpty {
      news.woken.resume()
      withStorage { $0.waiting.recycle(&news.woken) }
    }
    if let state = news.state {
      for slot in news.inboxes { slot.element?.push(state) }
    }
  }
}

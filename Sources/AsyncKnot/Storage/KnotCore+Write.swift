/// Writing: only the holder does it, on its isolation, so writes follow one another.
extension KnotCore {
  /// Mutates the state in place and tells the observers.
  ///
  /// - Parameters:
  ///   - hooked: Whether the holder has hooks to be told.
  ///   - body: The reducer.
  /// - Returns: What the reducer returned, and what the holder's hooks are to be told, if anything.
  @inlinable
  func write<Result: Sendable>(
    hooked: Bool, _ body: (inout State) -> Result
  ) -> (Result, Delivery<State>?) {
    var news: News<State>?
    var delivery: Delivery<State>?
    let result = withStorage { storage in
      reentry.begin()
      let result = body(&storage.state)
      reentry.end()
      accept(in: &storage, hooked: hooked, news: &news, delivery: &delivery)
      return result
    }
    if var news = news.take() { publish(&news) }
    return (result, delivery)
  }

  /// Exchanges the state and tells the observers.
  ///
  /// The old state dies outside the lock.
  @inlinable
  func replace(with state: State, hooked: Bool) -> Delivery<State>? {
    var news: News<State>?
    var delivery: Delivery<State>?
    _ = withStorage { storage in
      let old = storage.state
      storage.state = state
      accept(in: &storage, hooked: hooked, news: &news, delivery: &delivery)
      return old
    }
    if var news = news.take() { publish(&news) }
    return delivery
  }

  /// Counts the state that was just written and collects who has to hear of it.
  @inlinable
  func accept(
    in storage: inout KnotStorage<State>, hooked: Bool, news: inout News<State>?,
    delivery: inout Delivery<State>?
  ) {
    storage.version &+= 1
    if !storage.isUnobserved { news = storage.collectNews() }
    if hooked, !turn.flags.contains(.withoutUpdate) || !storage.handlers.isEmpty {
      delivery = Delivery(state: storage.state, handlers: storage.handlers)
    }
  }

  /// Tells the observers what a write collected.
  @inlinable
  func publish(_ news: inout News<State>) {
    if !news.woken.isEmpty {
      news.woken.resume()
      withStorage { $0.waiting.recycle(&news.woken) }
    }
    if let state = news.state {
      for slot in news.inboxes.slots { slot.element?.push(state) }
    }
  }

  /// Keeps a state that a hook wrote until the running turn gets to it.
  @usableFromInline
  func postpone(_ delivery: Delivery<State>) {
    withStorage { $0.pending.append(delivery) }
    turn.insert(.pending)
  }

  /// Goes on in a turn, or ends it.
  ///
  /// - Returns: The next state that a hook wrote.
  @inlinable
  func advance() -> Delivery<State>? {
    if turn.flags.contains(.pending) { return takePending() }
    turn.remove(.running)
    return nil
  }

  @usableFromInline
  func takePending() -> Delivery<State>? {
    let (delivery, isLast) = withStorage { ($0.pending.popFirst(), $0.pending.isEmpty) }
    if isLast { turn.remove(.pending) }
    return delivery
  }
}

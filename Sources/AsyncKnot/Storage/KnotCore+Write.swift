/// Writing: only the holder does it, on its isolation, so writes follow one another.
extension KnotCore {
  /// Mutates the state in place and tells the observers.
  ///
  /// - Parameters:
  ///   - holder: The object whose hooks are to be called, always the same; `nil` where there are none.
  ///   - body: The reducer.
  /// - Returns: What the reducer returned, and what the holder's hooks are to be called with, if any.
  @inlinable
  func write<Result: Sendable>(
    by holder: ObjectIdentifier?, _ body: (inout State) -> Result
  ) -> (Result, Delivery<State>?) {
    checkApart()
    var news: News<State>?
    var delivery: Delivery<State>?
    let frame = unsafe withUnsafePointer(to: &delivery) { UInt(bitPattern: $0) }
    let result = withStorage { storage in
      reducer.begin(at: frame, State.self)
      let result = body(&storage.state)
      reducer.end()
      accept(in: &storage, by: holder, news: &news, delivery: &delivery)
      return result
    }
    if var news = news.take() { publish(&news) }
    return (result, delivery)
  }

  /// Exchanges the state and tells the observers.
  ///
  /// The old state dies outside the lock.
  @inlinable
  func replace(with state: State, by holder: ObjectIdentifier?) -> Delivery<State>? {
    checkApart()
    var news: News<State>?
    var delivery: Delivery<State>?
    _ = withStorage { storage in
      let old = storage.state
      storage.state = state
      accept(in: &storage, by: holder, news: &news, delivery: &delivery)
      return old
    }
    if var news = news.take() { publish(&news) }
    return delivery
  }

  /// Counts the state that was just written and collects who has to hear of it.
  @inlinable
  func accept(
    in storage: inout KnotStorage<State>, by holder: ObjectIdentifier?, news: inout News<State>?,
    delivery: inout Delivery<State>?
  ) {
    storage.version &+= 1
    if !storage.isUnobserved { news = storage.collectNews() }
    guard let holder else { return }
    storage.claim(for: holder)
    delivery = Delivery(state: storage.state, handlers: storage.handlers.slots)
  }

  /// Tells the observers what a write collected.
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

public import Synchronization

/// Writing: only the holder does it, on its isolation, so writes follow one another.
extension KnotCore {
  /// Mutates the state in place and tells the observers.
  ///
  /// - Parameters:
  ///   - task: The identity of the running task, which a loop asks for once.
  ///   - hooked: Whether the holder has hooks to be told.
  ///   - body: The reducer.
  /// - Returns: What the reducer returned, and the state for the holder's hooks, if they are to run.
  @inlinable
  func write<Result: Sendable>(
    as task: Int, hooked: Bool, _ body: (inout State) -> Result
  ) -> (Result, Delivery<State>?) {
    let (result, news) = withStorage { storage in
      reducingTask.store(task, ordering: .relaxed)
      defer { reducingTask.store(0, ordering: .relaxed) }
      let result = body(&storage.state)
      return (result, storage.accept(hooked: hooked))
    }
    publish(news)
    return (result, news.delivery)
  }

  /// Exchanges the state and tells the observers.
  ///
  /// The old state dies outside the lock.
  @inlinable
  func replace(with state: State, hooked: Bool) -> Delivery<State>? {
    let (_, news) = withStorage { storage in
      let old = storage.state
      storage.state = state
      return (old, storage.accept(hooked: hooked))
    }
    publish(news)
    return news.delivery
  }

  /// Tells the observers what a write collected.
  @inlinable
  func publish(_ news: News<State>) {
    if !news.woken.isEmpty { resume(news.woken) }
    if let broadcast = news.broadcast { push(broadcast.state, to: broadcast.inboxes) }
  }

  @usableFromInline
  func resume(_ woken: WaitList.Woken) {
    woken.resume()
    withStorage { $0.waiting.recycle(woken) }
  }

  @usableFromInline
  func push(_ state: State, to inboxes: SlotTable<Inbox<State>>) {
    for slot in inboxes.slots { slot.element?.push(state) }
  }

  /// Goes on after a delivery to the hooks was carried out.
  @usableFromInline
  func advance() -> Turn<State>.Step {
    withStorage { $0.turn.advance() }
  }
}

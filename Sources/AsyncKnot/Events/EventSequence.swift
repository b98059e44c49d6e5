/// The events that one subscriber of an `EventChannel` receives.
///
/// The subscription begins with `subscribe`, not with the iteration. Iterators of one subscription
/// share it: each event goes to one of them. A cancelled task receives `nil`.
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  @usableFromInline let subscription: Subscription<Event>

  /// The number of events that a bounded policy has dropped so far.
  public var droppedCount: Int { subscription.inbox.dropped }

  /// Takes the oldest event from the buffer, if there is one.
  package func takeBuffered() -> Event? { subscription.inbox.takeBuffered() }

  /// Makes an iterator that takes from this subscription.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

  /// Takes events from a subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let subscription: Subscription<Event>
    @usableFromInline var waiter = Waiter()
    @usableFromInline var slice = Slice()

    init(subscription: Subscription<Event>) { self.subscription = subscription }

    /// The next event; `nil` when the channel is finished and the buffer empty, or the task is
    /// cancelled.
    ///
    /// The method leaves the caller's isolation only to wait, or to yield after a slice of events that
    /// were there at once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      if slice.isOver() { await Slice.giveWay() }
      if let event = subscription.inbox.takeIfReady() { return event }
      slice.restart()
      if let event = await subscription.inbox.next(after: (), as: waiter, isolation: actor) {
        return event
      }
      waiter = Waiter()
      return nil
    }

    /// The next event.
    @inlinable
    nonisolated(nonsending) public mutating func next() async -> Event? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension EventSequence.AsyncIterator: Sendable {}

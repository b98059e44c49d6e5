/// The events that one subscriber of an `EventChannel` receives.
///
/// The subscription begins with `subscribe`, not with the iteration. If a subscription has several iterators, each event goes to
/// one of them. A cancelled task receives `nil`.
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  @usableFromInline let subscription: Subscription<Event>

  /// The number of events that a bounded policy has dropped so far.
  public var droppedCount: Int { subscription.inbox.dropped }

  /// Removes and returns the oldest buffered event, if any.
  package func takeBuffered() -> Event? { subscription.inbox.takeBuffered() }

  /// Creates an iterator that takes events from this subscription.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: subscription) }

  /// An iterator that takes events from a subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let subscription: Subscription<Event>
    @usableFromInline var waiter = Waiter()
    @usableFromInline var slice = Slice()

    init(subscription: Subscription<Event>) { self.subscription = subscription }

    /// Returns the next event; `nil` if the channel has finished and the buffer is empty, or if the task is cancelled.
    ///
    /// The method leaves the caller's isolation only to wait for an event, and to yield after each slice of about half a
    /// millisecond while events are buffered.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      if slice.isOver() { await Slice.yield() }
      if let event = subscription.inbox.takeIfReady() { return event }
      slice.restart()
      if let event = await subscription.inbox.next(after: (), as: waiter, isolation: actor) {
        return event
      }
      waiter = Waiter()
      return nil
    }

    /// Returns the next event.
    @inlinable
    nonisolated(nonsending) public mutating func next() async -> Event? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension EventSequence.AsyncIterator: Sendable {}

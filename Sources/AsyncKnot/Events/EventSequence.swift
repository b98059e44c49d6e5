/// The events that one subscriber of an `EventChannel` receives.
///
/// <!-- sample: let channel = EventChannel<String>() -->
/// ```swift
/// for await event in channel.subscribe() { print(event) }
/// ```
///
/// The subscription begins with `subscribe`, not with the iteration. Iterators of one subscription
/// share it: each event goes to one of them. A cancelled task receives `nil`.
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Event
  /// It never fails.
  public typealias Failure = Never

  @usableFromInline let subscriber: EventSubscriber<Event>

  /// The number of events that a bounded policy has dropped so far.
  public var droppedCount: Int { subscriber.inbox.dropped }

  /// The number of events in the buffer.
  package var bufferedCount: Int { subscriber.inbox.count }

  /// Takes the oldest event from the buffer, without waiting.
  ///
  /// - Returns: The event; `nil` if the buffer is empty.
  package func takeBuffered() -> Event? { subscriber.inbox.takeBuffered() }

  /// Makes an iterator that takes from this subscription.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(subscriber: subscriber)
  }

  /// Takes events from a subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let subscriber: EventSubscriber<Event>
    @usableFromInline var slice = Slice()

    init(subscriber: EventSubscriber<Event>) {
      self.subscriber = subscriber
    }

    /// The next event.
    ///
    /// - Parameter actor: The caller's isolation. The method leaves it only to wait, or to yield
    ///   after a slice of events that were there at once.
    /// - Returns: The event; `nil` when the channel is finished and the buffer empty, or the task
    ///   is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      if slice.isOver() { await Slice.giveWay() }
      if let event = subscriber.inbox.takeIfReady() { return event }
      slice.restart()
      return await subscriber.inbox.next(isolation: actor)
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

extension EventSequence.AsyncIterator: GivingBack {
  @usableFromInline
  mutating func giveBack(_ event: Event) { subscriber.inbox.giveBack(event) }
}

/// Keeps an inbox registered with a channel until the sequence and its iterators are dropped.
@usableFromInline
final class EventSubscriber<Event: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<Event>
  private let registry: EventRegistry<Event>
  private let ticket: UInt64

  init(to registry: EventRegistry<Event>, policy: Inbox<Event>.Policy) {
    inbox = Inbox(policy: policy, keepsLast: false)
    self.registry = registry
    ticket = registry.register(inbox)
  }

  deinit { registry.remove(ticket) }
}

import AsyncKnot

/// The events of one type of model, in the order in which they were sent.
///
/// The subscription begins when the sequence is created. The sequence ends when the data source is released. In a cancelled task,
/// `next()` returns `nil`.
public struct NodeEventSequence<Model: Diffable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// An event of the model.
  public typealias Element = NodeEvent<Model>
  /// The sequence never throws.
  public typealias Failure = Never

  let events: EventSequence<NodeEvent<AnyModel>>

  /// Creates an iterator; all iterators of one sequence share its subscription.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }

  /// Receives events, and skips those whose model has a different type.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var events: EventSequence<NodeEvent<AnyModel>>.AsyncIterator

    /// The next event; `nil` if the data source has been released or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let event = await events.next(isolation: actor) {
        if let event = event.of(Model.self) { return event }
      }
      return nil
    }

    /// The next event.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension NodeEventSequence.AsyncIterator: Sendable {}

import AsyncKnot

/// The events of one type of model, in the order sent.
///
/// The subscription begins when the sequence is made. The sequence ends when the data source goes;
/// a cancelled task receives `nil`.
public struct NodeEventSequence<Model: Diffable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// An event of the model.
  public typealias Element = NodeEvent<Model>
  /// Listening never fails.
  public typealias Failure = Never

  let events: EventSequence<NodeEvent<AnyModel>>

  /// Makes an iterator; iterators of one sequence share its subscription.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }

  /// Takes events from a subscription and skips those of other models.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var events: EventSequence<NodeEvent<AnyModel>>.AsyncIterator

    /// The next event.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The event; `nil` when the data source is gone or the task is cancelled.
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

/// A sequence that requests its next element only when the consumer is ready.
///
/// If the elements are states, the consumer always receives the newest state. A slow consumer skips older states, and no state is
/// buffered.
struct Paced<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  typealias Element = Base.Element
  typealias Failure = Base.Failure

  let base: Base
  let ready: @Sendable () async -> Void

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), ready: ready)
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let ready: @Sendable () async -> Void

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      await ready()
      return try await base.next(isolation: actor)
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a sequence that requests each element after `ready` has returned.
  func paced(by ready: @escaping @Sendable () async -> Void) -> Paced<Self> {
    Paced(base: self, ready: ready)
  }
}

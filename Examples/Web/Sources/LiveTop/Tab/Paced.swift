/// A sequence that is asked for its next element only when somebody is ready for one.
///
/// Of a sequence of states the element is then the newest: whoever takes its time misses what is over,
/// and nothing waits in between.
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
  /// Takes each element after `ready` has returned, and not before.
  func paced(by ready: @escaping @Sendable () async -> Void) -> Paced<Self> {
    Paced(base: self, ready: ready)
  }
}

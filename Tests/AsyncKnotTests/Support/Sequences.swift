/// The elements of an array, without a suspension between them.
struct Elements<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never
  let elements: [Element]

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...]) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Element>

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { rest.popFirst() }

    nonisolated(nonsending) mutating func next() async -> Element? { rest.popFirst() }
  }
}

struct Broken: Error, Equatable { var code: Int }

/// Some elements, then an error.
struct Breaking: AsyncSequence, Sendable {
  typealias Element = Int
  typealias Failure = Broken
  let elements: [Int]

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...]) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Int>

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? {
      guard let element = rest.popFirst() else { throw Broken(code: 42) }
      return element
    }

    nonisolated(nonsending) mutating func next() async throws(Broken) -> Int? {
      try await next(isolation: #isolation)
    }
  }
}

extension AsyncSequence where Failure == Never {
  /// All elements, until the end.
  nonisolated(nonsending) func collect() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }
}

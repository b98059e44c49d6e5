/// Ascending numbers from 1 that are always ready, until a test calls `end()`.
struct Ready: AsyncSequence, Sendable {
  final class Progress: Sendable {
    let taken = Atomic(0)
    let isOver = Atomic(false)
  }
  typealias Failure = Never

  let progress = Progress()

  func end() { progress.isOver.store(true, ordering: .relaxed) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(progress: progress) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let progress: Progress

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      let number = progress.taken.add(1, ordering: .relaxed).newValue
      return progress.isOver.load(ordering: .relaxed) ? nil : number
    }

    nonisolated(nonsending) mutating func next() async -> Int? { await next(isolation: #isolation) }
  }
}

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
  /// Returns all elements up to the end.
  nonisolated(nonsending) func collect() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }
}

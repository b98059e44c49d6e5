import AsyncKnot
import Synchronization

/// A sequence of the numbers below a bound, whose iterator never suspends.
struct Numbers: AsyncSequence, Sendable {
  typealias Element = Int
  typealias Failure = Never
  let bound: Int

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bound: bound) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let bound: Int
    var number = 0

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard number < bound else { return nil }
      defer { number += 1 }
      return number
    }

    nonisolated(nonsending) mutating func next() async -> Int? { await next(isolation: #isolation) }
  }
}

/// The state of both kinds of nodes.
struct Count: KnotState {
  var value = 0
  static func defaultState() -> Count { Count() }
}

/// A node whose `update` draws nothing.
actor Node: Knotable {
  typealias State = Count
  let knot = Knot<Count>()

  func update(_ state: Count) {}
}

/// A node whose `update` stores the value that it draws.
actor DrawingNode: Knotable {
  typealias State = Count
  let knot = Knot<Count>()
  var drawn = 0

  func update(_ state: Count) { drawn = state.value }
}

actor BareActor {
  private var value = 0
  func set(_ value: Int) { self.value = value }

  func setNumbers(below bound: Int, in other: BareActor) async {
    for number in 0..<bound { await other.set(number) }
  }
}

final class Locked: Sendable {
  let value = Mutex(0)
}

import AsyncKnot

/// An actor node, as a target writes it whose code is main-actor by default.
actor ProfileNode: Knotable {
  struct State: KnotState, Equatable {
    var title = "-"
    var count = 0
    static func defaultState() -> State { State() }
  }

  let knot = Knot<State>()
  let laidOut = EventChannel<Int>()
  var updates: [Int] = []

  func update(_ state: State) { updates.append(state.count) }

  func layout() { laidOut.send(state.count) }
}

/// A view without any annotation, which is on the main actor because the target is.
///
/// Its state stands outside of it (K17).
final class ProfileView: KnotableView {
  let knot = Knot<Profile>()
  let laidOut = EventChannel<Int>()
  var updates: [Int] = []

  func update(_ state: Profile) { updates.append(state.count) }

  func layout() { laidOut.send(state.count) }
}

struct Profile: KnotState, Equatable {
  var title = "-"
  var count = 0
  var rows: [Int] = []
  static func defaultState() -> Profile { Profile() }
}

/// An actor that holds a state and is no node.
actor Session: StateActor {
  let knot = Knot(7)
}

struct Broken: Error, Equatable { var code: Int }

/// Some numbers, then an error; pipes enter other isolations, so it belongs to none.
nonisolated struct Breaking: AsyncSequence, Sendable {
  typealias Element = Int
  typealias Failure = Broken
  let elements: [Int]

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...]) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Int>

    mutating func next() async throws(Broken) -> Int? {
      guard let element = rest.popFirst() else { throw Broken(code: 42) }
      return element
    }
  }
}

/// Numbers as a sequence that ends.
func numbers(_ numbers: [Int]) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for number in numbers { continuation.yield(number) }
    continuation.finish()
  }
}

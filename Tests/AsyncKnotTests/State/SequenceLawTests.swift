import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct SequenceLawTests {
  static let all: [LawfulSequence] = [
    .init("states", .newestStates) { $0.states },
    .init("states(buffering: .unbounded)", .allStates) { $0.states(buffering: .unbounded) },
    .init("states(buffering: .bufferingNewest(2))", .someStates) {
      $0.states(buffering: .bufferingNewest(2))
    },
    .init("states(buffering: .bufferingOldest(2))", .someStates) {
      $0.states(buffering: .bufferingOldest(2))
    },
    .init("values(of:)", .newestStates) { $0.values(of: \.self) },
    .init("states(of: a, b)", .newestStates) { FirstOfBoth(both: states(of: $0, $0.other)) },
    .init("subscribe()", .events) { $0.events.subscribe() },
    .init("filter(with:)", .events) { $0.events.subscribe().filter(with: $0) { _, _ in true } },
    .init("withState(from:)", .events) {
      Numbered($0.events.subscribe().withState(from: $0)) { $0.0 }
    },
    .init("withLatest(from:)", .events) {
      Numbered($0.events.subscribe().withLatest(from: $0.states)) { $0.0 }
    },
  ]

  @Test(
    "S2–S9, S21, F1: every sequence obeys the laws of its kind", arguments: SequenceLaw.allCases,
    all)
  func laws(_ law: SequenceLaw, _ sequence: LawfulSequence) async throws {
    try await law.check(sequence)
  }
}

/// A source whose state and channel receive the same numbers.
///
/// Any code may call `write(_:)`.
private final class Numbers: StateSource {
  let knot = Knot(0)
  let other = Knot(0)
  let events = EventChannel<Int>()

  func write(_ number: Int) {
    knot.exchange(for: number, by: ObjectIdentifier(self))
    events.send(number)
  }
}

extension LawfulSequence {
  fileprivate init(
    _ name: String, _ kind: Kind,
    _ sequence: @escaping @Sendable (Numbers) -> any AsyncSequence<Int, Never> & Sendable
  ) {
    self.init(name, kind) {
      let numbers = Numbers()
      let (knot, other) = (numbers.knot.observerCounter, numbers.other.observerCounter)
      let source = Shared<Numbers?>(numbers)
      return Subject(
        sequence(numbers), write: { source.value?.write($0) }, observers: { knot() + other() },
        end: { source.value = nil })
    }
  }
}

/// A separate type, because the compiler (6.3) rejects a generic closure over a tuple that was a parameter pack.
private struct FirstOfBoth: AsyncSequence, Sendable {
  let both: StatesSequence<Int, Int>

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(both: both.makeAsyncIterator()) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var both: StatesSequence<Int, Int>.AsyncIterator

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await both.next(isolation: actor)?.0
    }

    nonisolated(nonsending) mutating func next() async -> Int? { await next(isolation: #isolation) }
  }
}

import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// The laws that hold for every sequence of the module. A new sequence joins by a line of the list.
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
    .init("withState(from:)", .events) { First($0.events.subscribe().withState(from: $0)) { $0.0 } },
    .init("withLatest(from:)", .events) {
      First($0.events.subscribe().withLatest(from: $0.states)) { $0.0 }
    },
  ]

  @Test(
    "S2, S3, S5, S6, S8: an observer sees a rising sequence, the last, then the end", arguments: all
  )
  func givesTheLastInOrder(_ sequence: LawfulSequence) async {
    await exploreContract(seeds: 1_000) { try await sequence.givesTheLastInOrder() }
  }

  @Test("S8: who is cancelled leaves nothing registered", arguments: all)
  func forgetsWhoIsCancelled(_ sequence: LawfulSequence) async {
    await exploreContract(seeds: 1_000) { try await sequence.forgetsWhoIsCancelled() }
  }

  @Test("S8: who is late sees the last state, then the end", arguments: all)
  func endsForWhoComesLate(_ sequence: LawfulSequence) async throws {
    try await sequence.endsForWhoComesLate()
  }

  @Test("S21: after a cancellation on the reader's isolation nothing more comes", arguments: all)
  func givesNothingAfterCancel(_ sequence: LawfulSequence) async {
    await exploreContract(seeds: 1_000) { try await sequence.givesNothingAfterCancel() }
  }

  @Test("S4, S9: what is there comes without a suspension", arguments: all)
  func isThereAtOnce(_ sequence: LawfulSequence) async {
    #expect(await sequence.jobsWhereElementsAreThere() == 0)
  }

  @Test("F1: a loop that always finds something gives way, once in 32 elements", arguments: all)
  func givesWay(_ sequence: LawfulSequence) async {
    let (few, many) = (await sequence.jobs(reading: 8), await sequence.jobs(reading: 1_008))
    #expect(many - few >= 1_000 / 32, "\(few) and \(many) jobs")
  }

  @Test("S7: who reads the newest state, and does not wait, is not registered", arguments: all)
  func costsNothing(_ sequence: LawfulSequence) async throws {
    try await sequence.costsNothingBetweenTwoReads()
  }
}

/// A state and events with the same numbers, which any code may write.
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

/// The first part of each element, on the isolation of who reads.
private struct First<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == Never {
  let base: Base
  let first: @Sendable (Base.Element) -> Int

  init(_ base: Base, _ first: @escaping @Sendable (Base.Element) -> Int) {
    (self.base, self.first) = (base, first)
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), first: first)
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let first: @Sendable (Base.Element) -> Int

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await base.next(isolation: actor).map(first)
    }

    nonisolated(nonsending) mutating func next() async -> Int? { await next(isolation: #isolation) }
  }
}

/// The same of two states: the compiler (6.3) takes no generic closure of a tuple that was a parameter pack.
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

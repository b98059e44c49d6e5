/// A holder built like the real one, small enough to break in one place at a time.
///
/// Wherever a thread may be preempted between two critical sections there is a preemption point, so
/// that the unbroken one proves that its critical sections are large enough.
actor MutantCounter: CounterSubject {
  enum Mutation: String, CaseIterable {
    /// Nothing is broken.
    case none
    /// An observer looks in one critical section and takes its place in the next.
    case registersLater = "a read and a registration in two critical sections"
    /// A reduction suspends between reading the state and writing it.
    case splitsReduction = "a reduction split by an await"
    /// Cancellation does not reach a suspended observer.
    case ignoresCancellation = "a waiter not resumed on cancel"
    /// A cancelled observer is resumed, but its place stays taken.
    case keepsPlace = "a waiter not removed on cancel"
    /// The end is not told to the observers that are suspended.
    case endsSilently = "waiters not told of the end"
    /// The end comes before a state that an observer has not seen.
    case endsEarly = "the end before the last state"
  }

  private let core: MutantCore

  init(_ mutation: Mutation) { core = MutantCore(mutation) }

  deinit { core.finish() }

  func add(_ amount: Int) async {
    let before = core.count
    if core.mutation == .splitsReduction {
      await Task.yield()
      core.write(Count(value: before.value + amount))
    } else {
      core.write(Count(value: before.value + amount))
    }
  }

  nonisolated var counts: MutantSequence { MutantSequence(core: core) }
  nonisolated var current: Int { core.count.value }
  nonisolated var observers: Int { core.places }
}

struct MutantSequence: AsyncSequence, Sendable {
  let core: MutantCore

  func makeAsyncIterator() -> Iterator { Iterator(core: core) }

  struct Iterator: AsyncIteratorProtocol {
    let core: MutantCore
    var seen = 0

    mutating func next(isolation actor: isolated (any Actor)?) async -> Count? {
      while !Task.isCancelled {
        switch core.read(after: seen) {
        case .count(let count, let version):
          seen = version
          return count
        case .finished: return nil
        case .wait(let place): await core.wait(at: place, isolation: actor)
        }
      }
      return nil
    }

    mutating func next() async -> Count? { await next(isolation: #isolation) }
  }
}

import AsyncKnot
import AsyncKnotTesting
import TestSupport
import AsyncOptical

/// Shows results of which only the newest counts, as the contract sees it: the real one, and a broken one.
protocol LatestSubject: Actor {
  /// Asks for a result; an earlier request that is still in flight is superseded.
  func request(_ number: Int) async

  /// The results that were committed, in order.
  nonisolated var committed: [Int] { get }
}

extension LatestSubject {
  /// O4: a late commit of a superseded request is dropped, never applied over a newer one.
  static func neverGoesBack(_ make: @Sendable () -> Self) async throws {
    let subject = make()
    for number in 1...3 {
      await subject.request(number)
      for _ in 0..<3 { await Task.yield() }
    }
    await untilIdle()
    let committed = subject.committed
    try hold(committed == committed.sorted(), "committed \(committed)")
    try hold(committed.last == 3, "the last one committed is \(committed.last ?? 0)")
  }
}

/// Work that takes some steps and does not ask whether it was cancelled.
private func work() async {
  for _ in 0..<2 { await Task.yield() }
}

/// The real one.
actor LatestOpticle: Opticle, LatestSubject {
  typealias State = [Int]
  let knot = Knot<[Int]>([])

  func dispatch(_ number: Int) async {
    await work()
    commit(number)
  }

  func mutate(_ state: inout [Int], response: Int) { state.append(response) }
  func recover(_ state: inout [Int], request: Int, error: any Error) {}
  nonisolated func policy(for request: Int) -> DispatchPolicy { .latest(0) }
  func request(_ number: Int) { send(number) }
  nonisolated var committed: [Int] { state }
}

/// One that cancels what it supersedes, but may take its late result for a new one.
actor MutantLatest: LatestSubject {
  private let dropsLateCommits: Bool
  private let log = Log<Int>()
  private var newest = 0
  private var inFlight: Task<Void, Never>?

  init(dropsLateCommits: Bool) { self.dropsLateCommits = dropsLateCommits }

  func request(_ number: Int) {
    inFlight?.cancel()
    newest = number
    inFlight = Task(executorPreference: Exploration.executor) {
      await work()
      await self.commit(number)
    }
  }

  private func commit(_ number: Int) {
    if dropsLateCommits, number < newest { return }
    log.append(number)
  }

  nonisolated var committed: [Int] { log.all }
}

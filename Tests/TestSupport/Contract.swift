package import ExploreTesting
import Foundation
package import Testing

/// What a scenario throws when a contract does not hold.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// Throws unless the condition holds.
///
/// Cheaper than an expectation, of which an exploration would evaluate hundreds of thousands.
package func hold(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: description()) }
}

/// Explores a contract with 10,000 seeds, and with a quarter as many that starve tasks on purpose.
///
/// Threads may be preempted between the critical sections of the package, too. A debug build runs one seed
/// in five, so that `swift test` takes a minute; `.ci/run` runs them all in a release build. Under a
/// sanitizer, which finds little where one job runs at a time, there are fewer still.
///
/// - Parameters:
///   - seeds: How many orders to draw uniformly.
///   - patience: How long to wait for the main actor, which other tests use, too.
///   - allowing: What is no failure here.
///   - bound: Which schedules are all run before, where the scenario is small enough.
///   - sourceLocation: Where an issue is recorded.
///   - scenario: What throws when the contract does not hold.
package func exploreContract(
  seeds: Int = 10_000, patience: Duration = .seconds(1), allowing: ExplorationAllowances = [],
  every bound: ScheduleBound? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  for search in isSanitized ? [] : bound?.searches ?? [] {
    let count = await exploreAll(
      preemptions: search.preemptions, interrupts: search.interrupts,
      // A busy machine must not decide whether a proof is one.
      timeLimit: .seconds(3_600), jobLimit: 5_000,
      sourceLocation: sourceLocation, scenario)
    #expect(count != nil, "the search is completed", sourceLocation: sourceLocation)
    if let count, ProcessInfo.processInfo.environment["SCHEDULES_TABLE"] != nil {
      let bound = search.preemptions.map { "at most \($0)" } ?? "all, jobs whole"
      print("| \(Test.current?.displayName ?? "") | \(bound) | \(count) |")
    }
  }
  let seeds = isSanitized ? max(4, seeds / 20) : isDebug ? seeds / 5 : seeds
  for (seeds, strategy) in [(seeds, ExplorationStrategy.uniform), (seeds / 4, .pct)] {
    var exploration = Exploration(seeds: seeds, strategy: strategy, jobLimit: 5_000)
    exploration.preemptsPackage = true
    exploration.patience = patience
    exploration.allowing = allowing
    await explore(exploration, sourceLocation: sourceLocation, scenario)
  }
}

extension ExplorationAllowances {
  /// In an optimised build one schedule may be left, because the optimiser removes hops.
  package static var noChoiceIfOptimised: Self { isDebug ? [] : .noChoice }
}

/// Which schedules are run without exception.
package enum ScheduleBound: Sendable {
  /// Those with at most one forced switch; in an optimised build, which suspends less often, also all in which no job
  /// comes in the middle of another.
  case schedule
  /// All with at most so many forced switches; in a debug build with at most one.
  case scheduleWithPreemptions(Int)

  var searches: [(preemptions: Int?, interrupts: Bool)] {
    switch self {
    case .schedule: isDebug ? [(1, true)] : [(1, true), (nil, false)]
    case .scheduleWithPreemptions(let count): [(isDebug ? min(count, 1) : count, true)]
    }
  }
}

/// Whether this is a debug build.
package var isDebug: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

package import ExploreTesting
import Foundation
package import Testing

/// The error that a scenario throws if a contract does not hold.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// Throws unless the condition holds.
///
/// An exploration evaluates hundreds of thousands of conditions, for which `#expect` would be too slow.
package func hold(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: description()) }
}

/// Explores a contract with `seeds` schedules that are drawn uniformly, and with a quarter as many that starve tasks on purpose.
///
/// A run can also switch tasks between two critical sections of the package. Unless the environment variable `ALL_SEEDS` is set,
/// only one seed in five runs, so that the tests take only minutes. Under a sanitizer, even fewer seeds run, because a sanitizer
/// finds little while one job runs at a time.
///
/// - Parameters:
///   - seeds: The number of schedules to draw uniformly; without `ALL_SEEDS`, only a fifth of them run.
///   - patience: How long to wait for the main actor, which other tests also use.
///   - allowing: Conditions that do not count as failures.
///   - bound: The schedules that are all run first; `nil` if the scenario is too large for an exhaustive search.
///   - sourceLocation: The location at which issues are recorded.
///   - scenario: A closure that throws if the contract does not hold.
package func exploreContract(
  seeds: Int = 10_000, patience: Duration = .seconds(1), allowing: ExplorationAllowances = [],
  every bound: ScheduleBound? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  for search in isSanitized ? [] : bound?.searches ?? [] {
    let count = await exploreAll(
      preemptions: search.preemptions, interrupts: search.interrupts,
      // The limit is long, so that a slow machine completes the search.
      timeLimit: .seconds(3_600), jobLimit: 5_000,
      sourceLocation: sourceLocation, scenario)
    #expect(count != nil, "the search did not complete", sourceLocation: sourceLocation)
    if let count, ProcessInfo.processInfo.environment["SCHEDULES_TABLE"] != nil {
      let bound = search.preemptions.map { "at most \($0)" } ?? "all, without interruptions"
      print("| \(Test.current?.displayName ?? "") | \(bound) | \(count) |")
    }
  }
  let seeds = isSanitized ? max(4, seeds / 20) : allSeeds ? seeds : seeds / 5
  for (seeds, strategy) in [(seeds, ExplorationStrategy.uniform), (seeds / 4, .pct)] {
    var exploration = Exploration(seeds: seeds, strategy: strategy, jobLimit: 5_000)
    exploration.preemptsPackage = true
    exploration.patience = patience
    exploration.allowing = allowing
    await explore(exploration, sourceLocation: sourceLocation, scenario)
  }
}

extension ExplorationAllowances {
  /// In an optimized build, allows a scenario to have only one schedule, because the optimizer removes hops.
  package static var noChoiceIfOptimized: Self { isDebug ? [] : .noChoice }
}

/// The schedules that an exhaustive search runs.
package enum ScheduleBound: Sendable {
  /// All schedules with at most one forced switch; a release build, which runs faster, also runs all schedules in which no job
  /// interrupts another.
  case schedule
  /// All schedules with at most this many forced switches; in a debug build, with at most one.
  case scheduleWithPreemptions(Int)

  var searches: [(preemptions: Int?, interrupts: Bool)] {
    switch self {
    case .schedule: isDebug ? [(1, true)] : [(1, true), (nil, false)]
    case .scheduleWithPreemptions(let count): [(isDebug ? min(count, 1) : count, true)]
    }
  }
}

private let allSeeds = ProcessInfo.processInfo.environment["ALL_SEEDS"] != nil

/// Whether this is a debug build.
package var isDebug: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

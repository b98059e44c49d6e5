import AsyncKnotTesting
import Foundation
import Testing

/// What a scenario throws when a contract does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless the condition holds.
func hold(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: description()) }
}

/// One thread is all that an exploration has: a thread sanitizer, which is slow, finds little there.
private let isSanitized = ["TSAN_OPTIONS", "LD_PRELOAD"].contains {
  ProcessInfo.processInfo.environment[$0]?.contains("tsan") == true
}

/// Explores a contract; a fifth of the seeds starve tasks on purpose.
func exploreContract(
  seeds: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  let seeds = isSanitized ? seeds / 20 : seeds
  await explore(seeds: seeds, jobLimit: 20_000, sourceLocation: sourceLocation, scenario)
  await explore(
    seeds: seeds / 5, strategy: .pct(depth: 3), jobLimit: 20_000, sourceLocation: sourceLocation,
    scenario)
}

/// Explores a contract in full; threads are preempted between the critical sections of the package, too.
///
/// It waits as long as `patience` for the main actor, which other tests use, too.
func exploreInFull(
  patience: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  for (seeds, strategy) in [(10_000, ExplorationStrategy.uniform), (2_500, .pct(depth: 3))] {
    var exploration = Exploration(seeds: seeds, strategy: strategy, jobLimit: 5_000)
    exploration.preemptsPackage = true
    exploration.patience = patience
    await explore(exploration, sourceLocation: sourceLocation, scenario)
  }
}

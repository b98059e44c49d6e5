import AsyncKnotTesting
import Testing

/// What a scenario throws when a contract does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless the condition holds.
///
/// Cheaper than an expectation, of which an exploration would evaluate hundreds of thousands.
func hold(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: description()) }
}

/// Explores a contract with 10,000 seeds, and with a quarter as many that starve tasks on purpose.
///
/// Threads may be preempted between the critical sections of the package, too.
func exploreContract(
  seeds: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  for (seeds, strategy) in [(seeds, ExplorationStrategy.uniform), (seeds / 4, .pct(depth: 3))] {
    var exploration = Exploration(seeds: seeds, strategy: strategy, jobLimit: 5_000)
    exploration.preemptsPackage = true
    await explore(exploration, sourceLocation: sourceLocation, scenario)
  }
}

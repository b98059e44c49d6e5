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
func exploreContract(
  seeds: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  await explore(seeds: seeds, jobLimit: 5_000, sourceLocation: sourceLocation, scenario)
  await explore(
    seeds: seeds / 4, strategy: .pct(depth: 3), jobLimit: 5_000, sourceLocation: sourceLocation,
    scenario)
}

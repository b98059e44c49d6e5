import ExploreTesting

/// Explores a scenario with this library's copy of the kit.
///
/// - Returns: The description of the failure; `nil` if all runs passed.
public func failureSeenBySecondKit(
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> String? {
  await Exploration().firstFailure(scenario).map { "\($0)" }
}

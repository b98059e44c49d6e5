import ExploreTesting

/// Explores with this library's copy of the kit.
///
/// - Returns: The failure in words; `nil` if all runs passed.
public func failureSeenBySecondKit(
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> String? {
  await Exploration().firstFailure(scenario).map { "\($0)" }
}

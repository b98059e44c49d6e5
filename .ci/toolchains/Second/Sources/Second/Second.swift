import ExploreTesting

/// Explores by the copy of the kit that this library has.
///
/// - Returns: The failure in words; `nil` if all runs passed.
public func failureSeenBySecondKit(
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> String? {
  await Exploration().firstFailure(scenario).map { "\($0)" }
}

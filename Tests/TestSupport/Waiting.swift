package import Testing

/// Lets other tasks run while a condition holds, and records an issue where it still does after five minutes.
///
/// That is for a machine with much else to do; `.ci/watched` names within a minute what hangs.
///
/// - Parameters:
///   - isAwaited: Whether to wait on.
///   - sourceLocation: Where the issue is recorded.
nonisolated(nonsending) package func waitWhile(
  _ isAwaited: @autoclosure () async -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let end = ContinuousClock.now + .seconds(300)
  while await isAwaited() {
    guard .now < end, !Task.isCancelled else {
      Issue.record("it did not come within five minutes", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

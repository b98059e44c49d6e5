package import Testing

/// Lets other tasks run while a condition holds; records an issue after 25 minutes, or if the task is cancelled.
///
/// The limit is long for busy machines. `.ci/watched` names a hanging test within a minute.
///
/// - Parameters:
///   - isAwaited: Whether to keep waiting.
///   - sourceLocation: Where the issue is recorded.
nonisolated(nonsending) package func waitWhile(
  _ isAwaited: @autoclosure () async -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let end = ContinuousClock.now + .seconds(1_500)
  while await isAwaited() {
    guard .now < end, !Task.isCancelled else {
      Issue.record("still waiting after 25 minutes or cancellation", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

package import Testing

/// Lets other tasks run while a condition holds; records an issue if it still holds after five minutes.
///
/// The limit is long for busy machines. `.ci/watched` names a hanging test within a minute.
///
/// - Parameters:
///   - isAwaited: Whether to keep waiting.
///   - sourceLocation: Where the issue is recorded.
nonisolated(nonsending) package func waitWhile(
  _ isAwaited: @autoclosure () async -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  let end = ContinuousClock.now + .seconds(300)
  while await isAwaited() {
    guard .now < end, !Task.isCancelled else {
      Issue.record("the condition still held after five minutes", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

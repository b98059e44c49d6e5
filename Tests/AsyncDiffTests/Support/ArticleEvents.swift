@testable import AsyncDiff

extension DiffableDataSource<Day> {
  /// Calls `send`, and returns the events of articles that were sent in the meantime.
  func events(during send: () async throws -> Void) async rethrows -> [NodeEvent<Article>] {
    let events = events(of: Article.self)
    try await send()
    // This event marks the end.
    channel.send(.cancel, from: Article(-1), at: at(0, 0))
    var received: [NodeEvent<Article>] = []
    for await event in events {
      if event.model.id == -1 { break }
      received.append(event)
    }
    return received
  }
}

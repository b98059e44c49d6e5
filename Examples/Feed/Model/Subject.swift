import AsyncDiff

/// A subject of a day: an article to read, or a poll to vote in.
enum Subject: Equatable, Sendable {
  case article(Article)
  case poll(Poll)

  var title: String {
    switch self {
    case .article(let article): article.title
    case .poll(let poll): poll.title
    }
  }

  /// The article or the poll itself, so that a subscriber can receive the events of only one type.
  var item: AnyNodable {
    switch self {
    case .article(let article): AnyNodable(article)
    case .poll(let poll): AnyNodable(poll)
    }
  }
}

struct Article: Nodable {
  let title: String
  let preview: String
  var isRead = false

  var diffIdentifier: String { title }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    {
      FeedNode(lines: [
        FeedNode.Line(title, isRead ? .dimmed : .title),
        FeedNode.Line(preview, isRead ? .dimmed : .text),
      ])
    }
  }

  func sizeRange(in context: NodeContext) -> SizeRange { context.sizeRange(height: 2) }
}

struct Poll: Nodable {
  struct Option: Hashable, Sendable {
    let name: String
    var votes: Int
  }

  /// The payload of a poll's event: the option that the user votes for.
  struct Vote: Hashable, Sendable {
    let option: Int
  }

  let title: String
  var options: [Option]

  var diffIdentifier: String { title }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { FeedNode(lines: [FeedNode.Line(title, .title)] + options.map(line)) }
  }

  func sizeRange(in context: NodeContext) -> SizeRange {
    context.sizeRange(height: Double(1 + options.count))
  }

  private func line(_ option: Option) -> FeedNode.Line {
    let most = options.map(\.votes).max() ?? 0
    let length = most == 0 ? 0 : (option.votes * 20 + most - 1) / most
    let name = option.name + String(repeating: " ", count: max(0, 24 - option.name.count))
    return FeedNode.Line("\(name) \(String(repeating: "█", count: length)) \(option.votes)", .bar)
  }
}

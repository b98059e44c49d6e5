import AsyncDiff

/// A section of the feed: the banner, or a day with its header and subjects.
enum FeedSection: SectionInflator {
  enum ID: Hashable, Sendable {
    case banner
    case day(String)
  }

  case banner(Banner)
  case day(Day)

  var diffIdentifier: ID {
    switch self {
    case .banner: .banner
    case .day(let day): .day(day.name)
    }
  }

  var items: [AnyNodable] {
    switch self {
    case .banner(let banner): [AnyNodable(banner)]
    case .day(let day): [AnyNodable(Header(day: day.name))] + day.subjects.map(\.item)
    }
  }
}

struct Day: Equatable, Sendable {
  let name: String
  var subjects: [Subject]
}

struct Banner: Nodable {
  let title: String
  let text: String

  var diffIdentifier: String { title }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { FeedNode(lines: [FeedNode.Line("\(title): \(text)", .banner)]) }
  }

  func sizeRange(in context: NodeContext) -> SizeRange { context.sizeRange(height: 1) }
}

struct Header: Nodable {
  let day: String

  var diffIdentifier: String { day }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { FeedNode(lines: [FeedNode.Line(day, .header)]) }
  }

  func sizeRange(in context: NodeContext) -> SizeRange { context.sizeRange(height: 1) }
}

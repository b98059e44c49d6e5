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
    case .day(let day): day.isCollapsed ? [] : day.subjects.map(\.item)
    }
  }

  /// The header of a day; `nil` for the banner.
  var content: DayHeader? {
    switch self {
    case .banner: nil
    case .day(let day): DayHeader(day)
    }
  }
}

/// The line above the rows of a day.
struct DayHeader: Equatable, Sendable {
  let name: String
  let unread: Int
  let isCollapsed: Bool

  init(_ day: Day) {
    name = day.name
    isCollapsed = day.isCollapsed
    unread = day.subjects.count { subject in
      guard case .article(let article) = subject else { return false }
      return !article.isRead
    }
  }

  var text: String { "\(isCollapsed ? "▸" : "▾") \(name), \(unread) unread" }
}

struct Day: Equatable, Sendable {
  let name: String
  var subjects: [Subject]
  /// Whether the day's subjects are hidden.
  var isCollapsed = false
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

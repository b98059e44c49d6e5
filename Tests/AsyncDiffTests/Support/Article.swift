/// A model with an identifier and content.
struct Article: Nodable, Codable {
  let id: Int
  var title: String

  init(_ id: Int, _ title: String = "") {
    self.id = id
    self.title = title
  }

  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode(title: title, path: path) }
  }
}

/// A model with the same identifiers as articles.
struct Poll: Nodable {
  let id: Int
  var votes = 0

  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode(title: "\(votes) votes", path: path) }
  }

  func sizeRange(in context: NodeContext) -> SizeRange { context.sizeRange(height: 3) }
}

struct TitleNode: CellNode, Equatable {
  let title: String
  let path: ItemPath
}

/// A section of articles with a header.
struct Day: SectionInflator {
  let name: String
  var header: String
  var items: [Article]

  init(_ name: String, header: String = "", _ items: [Article]) {
    self.name = name
    self.header = header
    self.items = items
  }

  init(_ name: String, header: String = "", ids: [Int]) {
    self.init(name, header: header, ids.map { Article($0) })
  }

  init(_ section: ShownSection<Day>) {
    self.init(section.diffIdentifier, header: section.content, section.items)
  }

  var diffIdentifier: String { name }
  var content: String { header }
}

/// A section that mixes models.
enum Page: SectionInflator {
  case polls([Poll])
  case articles([Article])

  var diffIdentifier: Int {
    switch self {
    case .polls: 0
    case .articles: 1
    }
  }

  var items: [AnyNodable] {
    switch self {
    case .polls(let polls): polls.map(AnyNodable.init)
    case .articles(let articles): articles.map(AnyNodable.init)
    }
  }
}

/// A section that consists only of its items.
struct Items<Item: Diffable & Equatable & Sendable>: SectionInflator {
  let items: [Item]
  var diffIdentifier: Int { 0 }
}

/// A snapshot of one section that consists only of its items.
func oneSection<Item>(of items: [Item]) -> DiffableSnapshot<Items<Item>> {
  DiffableSnapshot(sections: [Items(items: items)])
}

typealias Days = DiffableSnapshot<Day>

/// A snapshot of one day's articles.
func oneDay(_ ids: [Int]) -> Days { Days(sections: [Day("a", ids: ids)]) }

func at(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }

extension Days {
  /// The identifiers in each section, for comparisons.
  var ids: [[Int]] { sections.indices.map { items(in: $0).map(\.id) } }
}

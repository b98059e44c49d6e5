/// A section of a snapshot: its identity, its own content, and its current items.
///
/// <!-- sample: let header = Label() -->
/// ```swift
/// let section = snapshot.sections[0]
/// header.text = section.content
/// print(section.items.count)  // up to date after edits of the snapshot and between two stages
/// ```
/// The section does not keep the model from which it was created, because the model's items may be out of date.
public struct ShownSection<Section: SectionInflator>: Diffable, Sendable {
  /// The identifier of the section, the same in every snapshot.
  public let diffIdentifier: Section.DiffIdentifier
  /// The section's own content.
  public let content: Section.Content
  /// The items of the section, in the order shown.
  public internal(set) var rows: ShownRows<Section.Item>

  /// The items as an array, which is created in O(*n*) on first use if ``rows`` is stored as a tree.
  public var items: [Section.Item] { rows.items }

  /// Creates a section whose items are stored as an array.
  public init(
    diffIdentifier: Section.DiffIdentifier, content: Section.Content, items: [Section.Item]
  ) {
    self.init(diffIdentifier: diffIdentifier, content: content, rows: ShownRows(items))
  }

  /// Creates a section from rows, which may be stored as a tree.
  public init(
    diffIdentifier: Section.DiffIdentifier, content: Section.Content,
    rows: ShownRows<Section.Item>
  ) {
    self.diffIdentifier = diffIdentifier
    self.content = content
    self.rows = rows
  }

  /// Creates a section from a model, and reads the model's identifier, content and items.
  public init(_ section: Section) {
    self.init(
      diffIdentifier: section.diffIdentifier, content: section.content, items: section.items)
  }
}

extension ShownSection {
  /// Edits the items as an array.
  mutating func editItems(_ body: (inout [Section.Item]) -> Void) {
    // The items are moved out of `rows`, so that unshared items are edited in place.
    var items = rows.items
    rows = ShownRows()
    body(&items)
    rows = ShownRows(items)
  }
}

extension Array {
  /// Removes the elements at the given offsets, which must ascend.
  mutating func remove(at offsets: [Int]) {
    guard var end = offsets.first else { return }
    for (number, offset) in offsets.enumerated() {
      let next = number + 1 < offsets.count ? offsets[number + 1] : count
      for place in offset + 1..<next {
        self[end] = self[place]
        end += 1
      }
    }
    removeLast(count - end)
  }

  /// Inserts elements so that they end up at the given offsets, which must ascend.
  mutating func insert(_ elements: [Element], at offsets: [Int]) {
    guard !elements.isEmpty else { return }
    var all: [Element] = []
    all.reserveCapacity(count + elements.count)
    var copied = 0
    for (offset, element) in zip(offsets, elements) {
      let end = copied + offset - all.count
      all += self[copied..<end]
      all.append(element)
      copied = end
    }
    self = all + self[copied...]
  }
}

extension ShownSection: Equatable {
  /// Whether two sections have the same identifier, equal content and equal items.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.diffIdentifier == rhs.diffIdentifier && lhs.content == rhs.content
      && lhs.rows == rhs.rows
  }
}

extension ShownSection: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Hashes the identifier, the content and the items.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(diffIdentifier)
    hasher.combine(content)
    hasher.combine(rows)
  }
}

extension ShownSection {
  private enum CodingKeys: String, CodingKey {
    case diffIdentifier, content
    case rows = "items"
  }
}

extension ShownSection: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {}

extension ShownSection: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {}

extension ShownSection: CustomStringConvertible {
  /// The identifier, the content if the section has any, and the identifiers of the items.
  public var description: String {
    let own = Section.Content.self == NoContent.self ? "" : " “\(content)”"
    return "\(diffIdentifier)\(own): \(rows.map { "\($0.diffIdentifier)" })"
  }
}

/// A section of a snapshot: its identity, its own content, and its current items.
///
/// <!-- sample: let header = Label() -->
/// ```swift
/// let section = snapshot.sections[0]
/// header.text = section.content
/// print(section.items.count)  // also after edits of the snapshot, and between two stages
/// ```
/// The original section is not kept, so there is no older list of items to read by mistake.
public struct ShownSection<Section: SectionInflator>: Diffable, Sendable {
  /// The identity of the section, which it has in every snapshot.
  public let diffIdentifier: Section.DiffIdentifier
  /// The section's own content.
  public let content: Section.Content
  /// The items of the section, in the order shown.
  public internal(set) var rows: ShownRows<Section.Item>

  /// The items of the section, in the order shown, as an array.
  ///
  /// - Complexity: O(1) for ``rows`` that are an array; O(*n*) at the first use for a tree.
  @inlinable
  public var items: [Section.Item] { rows.items }

  /// Creates a section from its parts.
  ///
  /// - Parameters:
  ///   - diffIdentifier: The identity of the section.
  ///   - content: The section's own content.
  ///   - items: The items, in the order shown.
  public init(
    diffIdentifier: Section.DiffIdentifier, content: Section.Content, items: [Section.Item]
  ) {
    self.init(diffIdentifier: diffIdentifier, content: content, rows: ShownRows(items))
  }

  /// Creates a section from its parts.
  ///
  /// - Parameters:
  ///   - diffIdentifier: The identity of the section.
  ///   - content: The section's own content.
  ///   - rows: The items, in the order shown.
  public init(
    diffIdentifier: Section.DiffIdentifier, content: Section.Content,
    rows: ShownRows<Section.Item>
  ) {
    self.diffIdentifier = diffIdentifier
    self.content = content
    self.rows = rows
  }

  /// Creates a section; reads the identity, the content and the items of a model.
  ///
  /// - Parameter section: The model.
  public init(_ section: Section) {
    self.init(
      diffIdentifier: section.diffIdentifier, content: section.content, items: section.items)
  }
}

extension ShownSection {
  /// Edits the items, which are an array then.
  mutating func editItems(_ body: (inout [Section.Item]) -> Void) {
    // Taken out, so that they are edited in place if nobody shares them.
    var items = rows.items
    rows = ShownRows()
    body(&items)
    rows = ShownRows(items)
  }
}

extension Array {
  /// Removes the elements at some offsets, which ascend.
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

  /// Inserts elements, which then have these offsets; they ascend.
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
  /// Whether both have one identity, equal content and equal items.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.diffIdentifier == rhs.diffIdentifier && lhs.content == rhs.content
      && lhs.rows == rhs.rows
  }
}

extension ShownSection: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Feeds identity, content and items to a hasher.
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

/// A section of a snapshot: its identity, what is shown of itself, and the items it has now.
///
/// ```swift
/// let section = snapshot.sections[0]
/// header.text = section.content
/// print(section.items.count)  // also after edits of the snapshot, and between two stages
/// ```
/// The section that it was made of is not kept, so there is no older list of items to read by mistake.
public struct ShownSection<Section: SectionInflator>: Diffable, Sendable {
  /// What makes this the same section in another snapshot.
  public let diffIdentifier: Section.DiffIdentifier
  /// What is shown of the section itself.
  public let content: Section.Content
  /// The items of the section, in the order shown.
  @inlinable
  public var items: [Section.Item] { list }

  /// The items; whoever changes which are where has them looked for anew.
  @usableFromInline var list: [Section.Item]
  /// Where the items are, for look-ups after an edit; nil while no item was edited.
  @usableFromInline var places: SectionPlaces<Section.Item.DiffIdentifier>?

  /// Creates a section from its parts.
  @inlinable
  public init(
    diffIdentifier: Section.DiffIdentifier, content: Section.Content, items: [Section.Item]
  ) {
    self.diffIdentifier = diffIdentifier
    self.content = content
    list = items
  }

  /// Asks a section for its identity, its content and its items.
  @inlinable
  public init(_ section: Section) {
    self.init(
      diffIdentifier: section.diffIdentifier, content: section.content, items: section.items)
  }
}

extension ShownSection: Equatable {
  /// Whether both have one identity, equal content and equal items.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.diffIdentifier == rhs.diffIdentifier && lhs.content == rhs.content
      && lhs.items == rhs.items
  }
}

extension ShownSection: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Feeds identity, content and items to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(diffIdentifier)
    hasher.combine(content)
    hasher.combine(items)
  }
}

extension ShownSection: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes identity, content and items.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SectionKey.self)
    try container.encode(diffIdentifier, forKey: .diffIdentifier)
    try container.encode(content, forKey: .content)
    try container.encode(items, forKey: .items)
  }
}

extension ShownSection: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {
  /// Decodes identity, content and items.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SectionKey.self)
    self.init(
      diffIdentifier: try container.decode(Section.DiffIdentifier.self, forKey: .diffIdentifier),
      content: try container.decode(Section.Content.self, forKey: .content),
      items: try container.decode([Section.Item].self, forKey: .items))
  }
}

private enum SectionKey: String, CodingKey {
  case diffIdentifier, content, items
}

extension ShownSection: CustomStringConvertible {
  /// The identifier, the content where there is one, and the identifiers of the items.
  public var description: String {
    let own = Section.Content.self == NoContent.self ? "" : " “\(content)”"
    return "\(diffIdentifier)\(own): \(items.map { "\($0.diffIdentifier)" })"
  }
}

/// The sections and items of a list at one moment.
///
/// Each section is inflated once, when it enters the snapshot; from then on the snapshot's items are
/// what counts, also where they were edited.
///
/// ```swift
/// var snapshot = DiffableSnapshot(sections: [HomeSection.banner(banner)])
/// print(snapshot.numberOfItems(in: 0))  // 1
/// print(snapshot.sections[0].items)     // what is shown, after edits too
/// let item = snapshot.itemIfPresent(at: ItemPath(section: 4, item: 0))  // nil
/// try snapshot.deleteSections([HomeSection.banner(banner).diffIdentifier])
/// ```
///
/// A snapshot is a value: a copy shares its storage until one of the two is edited.
public struct DiffableSnapshot<Section: SectionInflator>: Sendable {
  /// The items of a section.
  public typealias Item = Section.Item
  /// What identifies a section.
  public typealias SectionID = Section.DiffIdentifier
  /// What identifies an item.
  public typealias ItemID = Section.Item.DiffIdentifier

  /// The sections with their items, in the order shown.
  @inlinable
  public var sections: [ShownSection<Section>] { shown }

  @usableFromInline var shown: [ShownSection<Section>]

  /// What to report as an update even where the content is equal.
  @usableFromInline var marks = SnapshotMarks<SectionID, ItemID>()

  /// Where each identifier is, found at the first look-up and shared by copies.
  @usableFromInline var index = SnapshotIndex<SectionID, ItemID>()

  /// Creates a snapshot of sections, and asks each for its content and its items.
  ///
  /// - Complexity: O(sections), beside what the sections do to give their items.
  @inlinable
  public init(sections: [Section] = []) {
    shown = sections.map { ShownSection($0) }
  }

  /// Creates a snapshot of sections that another one shows.
  ///
  /// ```swift
  /// let first = DiffableSnapshot(sections: snapshot.sections.prefix(3))
  /// ```
  /// - Complexity: O(sections).
  public init(sections: some Sequence<ShownSection<Section>>) {
    shown = sections.map {
      ShownSection(diffIdentifier: $0.diffIdentifier, content: $0.content, items: $0.items)
    }
  }
}

extension DiffableSnapshot: Equatable {
  /// Whether both show the same: equal sections with equal items; marks do not count.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sections == rhs.sections }
}

extension DiffableSnapshot: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Feeds the sections to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(sections) }
}

extension DiffableSnapshot: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the sections; marks are not encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(sections)
  }
}

extension DiffableSnapshot: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {
  /// Decodes the sections.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(sections: try container.decode([ShownSection<Section>].self))
  }
}

extension DiffableSnapshot: CustomStringConvertible {
  /// One line for each section: its identifier, its content, and the identifiers of its items.
  public var description: String {
    sections.isEmpty ? "no sections" : sections.map(\.description).joined(separator: "\n")
  }
}

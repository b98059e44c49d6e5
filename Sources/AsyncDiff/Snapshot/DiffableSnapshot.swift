/// The sections and items of a list at one moment.
///
/// The items of a section are read once, when the section enters the snapshot. From then on the
/// snapshot's own items are shown, also if they were edited.
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
  /// The type of the items.
  public typealias Item = Section.Item
  /// The type of the sections' identifiers.
  public typealias SectionID = Section.DiffIdentifier
  /// The type of the items' identifiers.
  public typealias ItemID = Section.Item.DiffIdentifier
  /// The error of an edit that was refused.
  public typealias EditError = AsyncDiff.EditError<SectionID, ItemID>

  /// The sections with their items, in the order shown.
  @inlinable
  public var sections: [ShownSection<Section>] { shown }

  @usableFromInline var shown: [ShownSection<Section>]

  /// The items and sections to report as updates even if their content is equal.
  var marks = SnapshotMarks<SectionID, ItemID>()

  /// The query of which a ``LiveList`` has made the snapshot; kept by a row that is moved, and no part of `==`.
  package var query: QueryToken?

  /// The place of each identifier, found by the first look-up and shared by copies.
  @usableFromInline var index: SnapshotIndex<SectionID, ItemID>

  /// Creates a snapshot; reads the content and the items of each section.
  ///
  /// - Parameter sections: The sections, in the order shown.
  /// - Complexity: O(sections), besides the work of the sections' own properties.
  public init(sections: [Section] = []) {
    self.init(shown: sections.map { ShownSection($0) })
  }

  /// Creates a snapshot of sections that another one shows.
  ///
  /// ```swift
  /// let first = DiffableSnapshot(sections: snapshot.sections.prefix(3))
  /// ```
  /// - Parameter sections: The sections, in the order shown.
  /// - Complexity: O(sections).
  public init(sections: some Sequence<ShownSection<Section>>) {
    self.init(shown: Array(sections))
  }

  /// Creates a snapshot of sections that belong to it already.
  init(shown: [ShownSection<Section>]) {
    self.shown = shown
    index = SnapshotIndex()
  }
}

extension DiffableSnapshot: Equatable {
  /// Whether both have equal sections with equal items; marks do not count.
  ///
  /// - Complexity: O(items).
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sections == rhs.sections }
}

extension DiffableSnapshot: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Feeds the sections to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(sections) }
}

extension DiffableSnapshot: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the sections; marks are not encoded.
  ///
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(sections)
  }
}

extension DiffableSnapshot: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {
  /// Decodes the sections.
  ///
  /// - Throws: The decoder's error.
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

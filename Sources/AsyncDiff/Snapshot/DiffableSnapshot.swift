/// The sections and items of a list at one moment.
///
/// The snapshot reads the items of a section once, when you add the section. After that, the snapshot keeps its own copy of the
/// items, and edits change only that copy.
///
/// ```swift
/// var snapshot = DiffableSnapshot(sections: [HomeSection.banner(banner)])
/// print(snapshot.numberOfItems(in: 0))  // 1
/// print(snapshot.sections[0].items)     // the items as shown, also after edits
/// let item = snapshot.itemIfPresent(at: ItemPath(section: 4, item: 0))  // nil
/// try snapshot.deleteSections([HomeSection.banner(banner).diffIdentifier])
/// ```
///
/// A snapshot is a value. A copy shares storage with the original until one of the two is edited. An edit refers to items and
/// sections by identifier. An edit that fails throws an ``EditError`` and changes nothing. An edit may take O(*n*) for the *n*
/// items of the snapshot, because it needs the paths of all items. So edit many items with one call, and keep rows that change
/// often in a ``LiveTable``.
public struct DiffableSnapshot<Section: SectionInflator>: Sendable {
  /// The type of the items.
  public typealias Item = Section.Item
  /// The type of the sections' identifiers.
  public typealias SectionID = Section.DiffIdentifier
  /// The type of the items' identifiers.
  public typealias ItemID = Section.Item.DiffIdentifier
  /// The error that a failed edit throws.
  public typealias EditError = AsyncDiff.EditError<SectionID, ItemID>

  /// The sections with their items, in the order shown.
  @inlinable
  public var sections: [ShownSection<Section>] { shown }

  @usableFromInline var shown: [ShownSection<Section>]

  /// The items and sections to report as updates even if their content is equal.
  var marks = SnapshotMarks<SectionID, ItemID>()

  /// The query of the ``LiveList`` that produced the snapshot; a drag keeps the query, and `==` ignores it.
  package var query: QueryToken?

  /// The path of each identifier, computed by the first lookup and shared by copies.
  @usableFromInline var index: SnapshotIndex<SectionID, ItemID>

  /// Creates a snapshot of sections, and reads the content and the items of each section.
  public init(sections: [Section] = []) {
    self.init(shown: sections.map { ShownSection($0) })
  }

  /// Creates a snapshot of sections that another snapshot shows, in the given order.
  ///
  /// ```swift
  /// let first = DiffableSnapshot(sections: snapshot.sections.prefix(3))
  /// ```
  public init(sections: some Sequence<ShownSection<Section>>) {
    self.init(shown: Array(sections))
  }

  init(shown: [ShownSection<Section>]) {
    self.shown = shown
    index = SnapshotIndex()
  }
}

extension DiffableSnapshot: Equatable {
  /// Whether two snapshots have equal sections with equal items, in O(items); marks are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sections == rhs.sections }
}

extension DiffableSnapshot: Hashable where Section.Content: Hashable, Section.Item: Hashable {
  /// Hashes the sections.
  public func hash(into hasher: inout Hasher) { hasher.combine(sections) }
}

extension DiffableSnapshot: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the sections without their marks.
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

extension DiffableSnapshot: CustomStringConvertible, CustomReflectable {
  /// One line for each section: its identifier, its content, and the identifiers of its items.
  public var description: String {
    sections.isEmpty ? "no sections" : sections.map(\.description).joined(separator: "\n")
  }

  /// Shows the sections.
  public var customMirror: Mirror {
    Mirror(self, children: ["sections": sections], displayStyle: .struct)
  }
}

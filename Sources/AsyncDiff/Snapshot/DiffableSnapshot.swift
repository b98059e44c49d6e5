/// The sections and items of a list at one moment.
///
/// Each section is inflated once, when it enters the snapshot; from then on the snapshot's items are
/// what counts, also where they were edited.
///
/// ```swift
/// var snapshot = DiffableSnapshot(sections: [HomeSection.banner(banner)])
/// snapshot.numberOfItems(in: 0)                               // 1
/// snapshot.itemIfPresent(at: ItemPath(section: 4, item: 0))   // nil
/// try snapshot.deleteSections([banner.diffIdentifier])
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

  /// The sections, in the order shown.
  public internal(set) var sections: [Section]

  /// The items of each section; an array that was not edited is shared with its section.
  package internal(set) var itemLists: [[Item]]

  /// Items to report as updates even where their content is equal.
  package internal(set) var marks = ItemMarks<ItemID>()

  /// Where each identifier is, found at the first look-up and shared by copies.
  @usableFromInline var index = SnapshotIndex<SectionID, ItemID>()

  /// Creates a snapshot of sections, and asks each for its items.
  ///
  /// - Complexity: O(sections), beside what the sections do to give their items.
  public init(sections: [Section] = []) {
    self.sections = sections
    itemLists = sections.map { $0.items }
  }
}

extension DiffableSnapshot: Equatable {
  /// Whether both have equal sections with equal items; marks do not count.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.sections == rhs.sections && lhs.itemLists == rhs.itemLists
  }
}

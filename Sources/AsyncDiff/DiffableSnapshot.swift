/// The sections and items of a list at one moment.
///
/// Each section is inflated once, when it enters the snapshot; from then on the snapshot's items are
/// what counts, also where they were edited.
///
/// ```swift
/// var snapshot = DiffableSnapshot(sections: [HomeSection.banner(banner)])
/// snapshot.numberOfItems(in: 0)                               // 1
/// snapshot.itemIfPresent(at: ItemPath(section: 4, item: 0))   // nil
/// ```
public struct DiffableSnapshot<Section: SectionInflator>: Sendable {
  /// The items of a section.
  public typealias Item = Section.Item

  /// The sections, in the order shown.
  public internal(set) var sections: [Section]
  /// The items of each section. A section's array is shared with the section, not copied.
  package internal(set) var itemLists: [[Item]]
  /// Items to report as updates even where their content is equal.
  package internal(set) var marks = ItemMarks<Item.DiffIdentifier>()

  /// Creates a snapshot of sections, and asks each for its items.
  ///
  /// - Complexity: O(sections), beside what the sections do to give their items.
  public init(sections: [Section] = []) {
    self.sections = sections
    itemLists = sections.map(\.items)
  }
}

public import AsyncDiff

/// A section of rows.
public struct RowSection<ID: Hashable & Sendable>: SectionInflator {
  /// The identifier of the section.
  public let diffIdentifier: Int
  /// The rows of the section.
  public var items: [Row<ID>]
}

/// An old and a new list of sections.
public struct SectionedWorkload<ID: Hashable & Sendable>: Sendable {
  /// A description of the change.
  public let summary: String
  /// The sections before the change.
  public let old: [RowSection<ID>]
  /// The sections after the change.
  public let new: [RowSection<ID>]

  /// Creates a hundred sections of a thousand rows.
  ///
  /// 1% of the rows move, nearly all to another section, 1% change, 1% are inserted, 1% are deleted, and two sections move.
  public static func changes(id: (inout SplitMix64) -> ID) -> Self {
    var random = SplitMix64(3)
    let old = (0..<100).map { section in
      RowSection(
        diffIdentifier: section, items: (0..<1_000).map { _ in Row(diffIdentifier: id(&random)) })
    }
    var new = old
    for section in new.indices {
      for _ in 0..<10 {
        new[section].items.remove(at: place(in: new[section], &random))
        new[section].items.insert(
          Row(diffIdentifier: id(&random)), at: place(in: new[section], &random))
        new[section].items[place(in: new[section], &random)].content += 1
        let row = new[section].items.remove(at: place(in: new[section], &random))
        let other = Int.random(in: new.indices, using: &random)
        new[other].items.insert(row, at: place(in: new[other], &random))
      }
    }
    new.insert(new.remove(at: 10), at: 70)
    new.insert(new.remove(at: 80), at: 20)
    return Self(
      summary:
        "100 sections × 1,000; 1 % moved across, changed, inserted, deleted; 2 sections moved",
      old: old, new: new)
  }

  private static func place(in section: RowSection<ID>, _ random: inout SplitMix64) -> Int {
    Int.random(in: section.items.indices, using: &random)
  }
}

/// The sections and items between two stages, and their places.
struct StageLayout {
  private(set) var sections: [StagedSection] = []
  /// The place of each old and each new section; -1 for one that is not there.
  private var oldSections: [Int]
  private var newSections: [Int]

  init(oldCount: Int, newCount: Int) {
    oldSections = Array(repeating: -1, count: oldCount)
    newSections = Array(repeating: -1, count: newCount)
  }

  mutating func append(_ staged: StagedSection) {
    if let old = staged.old { oldSections[old] = sections.count }
    if let new = staged.new { newSections[new] = sections.count }
    sections.append(staged)
  }

  /// The place of a section of the old list; traps if it is not there.
  func section(ofOld section: Int) -> Int { known(oldSections[section]) }

  /// The place of a section of the new list; traps if it is not there.
  func section(ofNew section: Int) -> Int { known(newSections[section]) }

  /// The path of an item of the old list.
  func path(ofOld path: ItemPath) -> ItemPath {
    let section = section(ofOld: path.section)
    let item = sections[section].merged?.position(ofOld: path.item)
    return ItemPath(section: section, item: item ?? path.item)
  }

  /// The path of an item of the new list.
  func path(ofNew path: ItemPath) -> ItemPath {
    let section = section(ofNew: path.section)
    let item = sections[section].merged?.position(ofNew: path.item)
    return ItemPath(section: section, item: item ?? path.item)
  }

  private func known(_ place: Int) -> Int {
    require(place >= 0, "a stage has lost a section")
    return place
  }
}

/// A section after a stage: its offset in the old and the new list, if it is there.
struct StagedSection {
  let old: Int?
  let new: Int?
  /// Its items; nil for all those of the old list, or of the new one.
  let merged: MergedList?
  /// Whether the items are those of the new list.
  let isNew: Bool
}

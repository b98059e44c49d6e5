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
  func section(ofOld section: Int) -> Int {
    let position = oldSections[section]
    require(position >= 0, "a stage has lost section \(section) of the old list")
    return position
  }

  /// The place of a section of the new list; traps if it is not there.
  func section(ofNew section: Int) -> Int {
    let position = newSections[section]
    require(position >= 0, "a stage lacks section \(section) of the new list")
    return position
  }

  /// The path of an item of the old list.
  func path(ofOld path: ItemPath) -> ItemPath {
    let section = section(ofOld: path.section)
    guard case .merged(let items) = sections[section].items else {
      return ItemPath(section: section, item: path.item)
    }
    return ItemPath(section: section, item: items.position(ofOld: path.item))
  }

  /// The path of an item of the new list.
  func path(ofNew path: ItemPath) -> ItemPath {
    let section = section(ofNew: path.section)
    guard case .merged(let items) = sections[section].items else {
      return ItemPath(section: section, item: path.item)
    }
    return ItemPath(section: section, item: items.position(ofNew: path.item))
  }
}

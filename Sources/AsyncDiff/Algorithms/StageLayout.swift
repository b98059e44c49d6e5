/// Which sections and items there are between two stages, and where.
struct StageLayout {
  private(set) var sections: [StagedSection] = []
  private var oldSections: [Int: Int] = [:]
  private var newSections: [Int: Int] = [:]
  /// For each merged section, where its old and its new items are.
  private var oldItems: [Int: [Int: Int]] = [:]
  private var newItems: [Int: [Int: Int]] = [:]

  mutating func append(_ staged: StagedSection) {
    if let old = staged.section.old { oldSections[old] = sections.count }
    if let new = staged.section.new { newSections[new] = sections.count }
    if case .merged(let items) = staged.items {
      for (position, item) in items.enumerated() {
        if let old = item.old { oldItems[sections.count, default: [:]][old] = position }
        if let new = item.new { newItems[sections.count, default: [:]][new] = position }
      }
    }
    sections.append(staged)
  }

  /// Where a section of the old list is.
  func section(ofOld section: Int) -> Int {
    guard let position = oldSections[section] else {
      preconditionFailure("a stage has lost section \(section) of the old list")
    }
    return position
  }

  /// Where a section of the new list is.
  func section(ofNew section: Int) -> Int {
    guard let position = newSections[section] else {
      preconditionFailure("a stage lacks section \(section) of the new list")
    }
    return position
  }

  /// Where an item of the old list is.
  func path(ofOld path: ItemPath) -> ItemPath {
    let section = section(ofOld: path.section)
    return ItemPath(section: section, item: oldItems[section]?[path.item] ?? path.item)
  }

  /// Where an item of the new list is.
  func path(ofNew path: ItemPath) -> ItemPath {
    let section = section(ofNew: path.section)
    return ItemPath(section: section, item: newItems[section]?[path.item] ?? path.item)
  }
}

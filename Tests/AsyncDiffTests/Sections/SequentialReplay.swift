import AsyncDiff

/// A list that changes one thing at a time, as a page or a list of views does.
struct SequentialReplay {
  private var days: [Day]

  /// Carries a step out; false if it names what is not there.
  private mutating func perform(_ step: BatchUpdates<Day>.Step) -> Bool {
    switch step {
    case .deleteSection(let offset): return take(offset, from: &days) != nil
    case .insertSection(let section, let offset): return put(Day(section), at: offset, in: &days)
    case .moveSection(let from, let to): return put(take(from, from: &days), at: to, in: &days)
    case .updateSection(let header, let offset):
      guard days.indices.contains(offset) else { return false }
      days[offset].header = header
      return true
    case .deleteItem(let path): return takeItem(path) != nil
    case .insertItem(let item, let path): return putItem(item, at: path)
    case .moveItem(let from, let to): return putItem(takeItem(from), at: to)
    case .updateItem(let item, let path):
      return takeItem(path)?.id == item.id && putItem(item, at: path)
    }
  }

  private mutating func takeItem(_ path: ItemPath) -> Article? {
    days.indices.contains(path.section) ? take(path.item, from: &days[path.section].items) : nil
  }

  private mutating func putItem(_ item: Article?, at path: ItemPath) -> Bool {
    days.indices.contains(path.section) && put(item, at: path.item, in: &days[path.section].items)
  }

  /// What is wrong with the sequential form of stages, or nil.
  static func complaint(about batches: [BatchUpdates<Day>], from old: Days) -> String? {
    var replay = SequentialReplay(days: old.sections.map { Day($0) })
    for batch in batches {
      guard batch.sequentialSteps.count == batch.count else { return "not as many steps" }
      for step in batch.sequentialSteps where !replay.perform(step) {
        return "\(step) is not possible"
      }
      guard Days(sections: replay.days) == batch.snapshot else { return "leads elsewhere" }
    }
    return nil
  }
}

private func take<Element>(_ offset: Int, from list: inout [Element]) -> Element? {
  list.indices.contains(offset) ? list.remove(at: offset) : nil
}

private func put<Element>(_ element: Element?, at offset: Int, in list: inout [Element]) -> Bool {
  guard let element, (0...list.count).contains(offset) else { return false }
  list.insert(element, at: offset)
  return true
}

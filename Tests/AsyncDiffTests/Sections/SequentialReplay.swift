import AsyncDiff

/// A list that changes one thing at a time, as a page or a list of views does.
struct SequentialReplay {
  private(set) var sections: [ShownSection<Day>]

  init(_ snapshot: Days) {
    sections = snapshot.sections
  }

  /// Carries a step out, or says why it cannot be.
  mutating func perform(_ step: SequentialStep<Day>) -> String? {
    switch step {
    case .deleteSection(let offset):
      guard sections.indices.contains(offset) else { return "no section \(offset)" }
      sections.remove(at: offset)
    case .insertSection(let section, let offset):
      guard (0...sections.count).contains(offset) else { return "no place \(offset)" }
      sections.insert(section, at: offset)
    case .moveSection(let from, let to):
      guard sections.indices.contains(from), sections.indices.contains(to) else {
        return "no section \(from) or place \(to)"
      }
      sections.insert(sections.remove(at: from), at: to)
    case .updateSection(let content, let offset):
      guard sections.indices.contains(offset) else { return "no section \(offset)" }
      sections[offset] = ShownSection(
        diffIdentifier: sections[offset].diffIdentifier, content: content,
        items: sections[offset].items)
    case .deleteItem(let path):
      return change(path.section) { items in
        guard items.indices.contains(path.item) else { return false }
        items.remove(at: path.item)
        return true
      }
    case .insertItem(let item, let path):
      return change(path.section) { items in
        guard (0...items.count).contains(path.item) else { return false }
        items.insert(item, at: path.item)
        return true
      }
    case .moveItem(let from, let to):
      var moved: Article?
      let complaint = change(from.section) { items in
        guard items.indices.contains(from.item) else { return false }
        moved = items.remove(at: from.item)
        return true
      }
      guard complaint == nil, let item = moved else { return complaint }
      return perform(.insertItem(item, at: to))
    case .updateItem(let item, let path):
      return change(path.section) { items in
        guard items.indices.contains(path.item), items[path.item].id == item.id else {
          return false
        }
        items[path.item] = item
        return true
      }
    }
    return nil
  }

  private mutating func change(_ offset: Int, _ body: (inout [Article]) -> Bool) -> String? {
    guard sections.indices.contains(offset) else { return "no section \(offset)" }
    var items = sections[offset].items
    guard body(&items) else { return "no such item in section \(offset)" }
    sections[offset] = ShownSection(
      diffIdentifier: sections[offset].diffIdentifier, content: sections[offset].content,
      items: items)
    return nil
  }

  /// What is wrong with the sequential form of stages, or nil.
  static func complaint(about batches: [BatchUpdates<Day>], from old: Days) -> String? {
    var replay = SequentialReplay(old)
    for batch in batches {
      guard batch.sequentialSteps.count == batch.count else { return "not as many steps" }
      for step in batch.sequentialSteps {
        if let complaint = replay.perform(step) { return "\(step): \(complaint)" }
      }
      guard Days(sections: replay.sections) == batch.snapshot else { return "leads elsewhere" }
    }
    return nil
  }
}

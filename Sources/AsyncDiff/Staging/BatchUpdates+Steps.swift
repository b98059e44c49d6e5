/// One step of a batch that is carried out one operation after another.
///
/// A surface without a batch method, a page's DOM or a `RecyclerView` for instance, changes one thing at a
/// time. Each offset and path means the list as the steps before have left it.
public enum SequentialStep<Section: SectionInflator>: Sendable {
  /// Takes a section with its items out.
  case deleteSection(Int)
  /// Puts a section with all its items in.
  case insertSection(ShownSection<Section>, at: Int)
  /// Takes a section with its items out, and puts it where it has this offset then.
  case moveSection(from: Int, to: Int)
  /// Draws a section itself anew: its header, not its items.
  case updateSection(Section.Content, at: Int)
  /// Takes an item out.
  case deleteItem(ItemPath)
  /// Puts an item in.
  case insertItem(Section.Item, at: ItemPath)
  /// Takes an item out, and puts it where it has this path then.
  case moveItem(from: ItemPath, to: ItemPath)
  /// Draws an item anew.
  case updateItem(Section.Item, at: ItemPath)
}

extension SequentialStep: Equatable {}

extension BatchUpdates {
  /// The stage as steps, each of which means the list as the ones before have left it.
  ///
  /// ```swift
  /// for step in batch.sequentialSteps {
  ///   switch step {
  ///   case .deleteItem(let path): adapter.remove(path)
  ///   case .insertItem(let item, let path): adapter.insert(item, at: path)
  ///   case .updateItem(let item, let path): adapter.redraw(item, at: path)
  ///   default: return adapter.redrawAll()  // or a call for each of the others
  ///   }
  /// }
  /// ```
  /// Items go first, then they move and come; then the sections do. At the end items and sections are
  /// updated where they are by then. There are as many steps as ``count`` says.
  ///
  /// - Precondition: the operations lead from ``previous`` to ``snapshot``.
  /// - Complexity: O(sections + *n* + *k* log *n*) for *k* operations, and *n* items in sections whose items
  ///   go, come or move.
  public var sequentialSteps: [SequentialStep<Section>] {
    var steps: [SequentialStep<Section>] = []
    appendItemSteps(to: &steps)
    appendSectionSteps(to: &steps)
    steps += itemUpdates.map { .updateItem(snapshot.item(at: $0.to), at: $0.to) }
    steps += sectionUpdates.map { .updateSection(snapshot.sections[$0.to].content, at: $0.to) }
    return steps
  }

  /// Items change while all sections are still where they were before; those that come are not there yet.
  private func appendItemSteps(to steps: inout [SequentialStep<Section>]) {
    var lists: [Int: OrderedSlots] = [:]
    let map = pathMap
    func origin(_ section: Int) -> Int { map.oldSection(of: section) ?? -1 }
    var leaving: [Int: [Int]] = [:]
    var arriving: [Int: [Int]] = [:]
    for path in itemDeletes + itemMoves.map(\.from) {
      leaving[path.section, default: []].append(path.item)
    }
    for path in itemInserts + itemMoves.map(\.to) {
      arriving[origin(path.section), default: []].append(path.item)
    }
    for section in Set(leaving.keys).union(arriving.keys) {
      lists[section] = OrderedSlots(
        count: previous.numberOfItems(in: section), leaving: (leaving[section] ?? []).sorted(),
        arriving: (arriving[section] ?? []).sorted())
    }
    func take(_ path: ItemPath) -> ItemPath {
      ItemPath(section: path.section, item: lists[path.section]?.remove(old: path.item) ?? 0)
    }
    func put(_ path: ItemPath) -> ItemPath {
      let section = origin(path.section)
      return ItemPath(section: section, item: lists[section]?.insert(new: path.item) ?? 0)
    }
    for path in itemDeletes.reversed() { steps.append(.deleteItem(take(path))) }
    for move in itemMoves {
      let from = take(move.from)
      steps.append(.moveItem(from: from, to: put(move.to)))
    }
    for path in itemInserts { steps.append(.insertItem(snapshot.item(at: path), at: put(path))) }
  }

  private func appendSectionSteps(to steps: inout [SequentialStep<Section>]) {
    guard !sectionDeletes.isEmpty || !sectionInserts.isEmpty || !sectionMoves.isEmpty else {
      return
    }
    var list = OrderedSlots(
      count: previous.sections.count,
      leaving: (sectionDeletes + sectionMoves.map(\.from)).sorted(),
      arriving: (sectionInserts + sectionMoves.map(\.to)).sorted())
    for section in sectionDeletes.reversed() {
      steps.append(.deleteSection(list.remove(old: section)))
    }
    for move in sectionMoves {
      let from = list.remove(old: move.from)
      steps.append(.moveSection(from: from, to: list.insert(new: move.to)))
    }
    for section in sectionInserts {
      steps.append(.insertSection(snapshot.sections[section], at: list.insert(new: section)))
    }
  }
}

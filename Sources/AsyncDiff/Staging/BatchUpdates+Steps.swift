extension BatchUpdates {
  /// One step of a batch that is carried out one operation after another.
  ///
  /// A surface without a batch method, a page's DOM or a `RecyclerView` for instance, changes one
  /// thing at a time. Each offset and path refers to the list as the steps before have left it.
  public enum Step: Equatable, Sendable {
    /// Removes a section with its items.
    case deleteSection(Int)
    /// Inserts a section with all its items.
    case insertSection(ShownSection<Section>, at: Int)
    /// Removes a section with its items, then inserts it at the offset `to`.
    case moveSection(from: Int, to: Int)
    /// Redraws a section's own content, such as its header, but not its items.
    case updateSection(Section.Content, at: Int)
    /// Removes an item.
    case deleteItem(ItemPath)
    /// Inserts an item.
    case insertItem(Section.Item, at: ItemPath)
    /// Removes an item, then inserts it at the path `to`.
    case moveItem(from: ItemPath, to: ItemPath)
    /// Redraws an item.
    case updateItem(Section.Item, at: ItemPath)
  }

  /// The stage as steps, each of which refers to the list as the steps before have left it.
  ///
  /// <!-- sample:
  /// struct Adapter {
  ///   func insert(_ item: Article, at path: ItemPath) {}
  ///   func remove(_ path: ItemPath) {}
  ///   func redraw(_ item: Article, at path: ItemPath) {}
  ///   func redrawAll() {}
  /// }
  /// let adapter = Adapter()
  /// -->
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
  /// First items are removed, moved and inserted, then sections are. At the end items and sections
  /// are updated in their final places. There are as many steps as operations.
  ///
  /// - Precondition: the operations lead from ``previous`` to ``snapshot``.
  /// - Complexity: O(sections + *n* + *k* log *n*) for *k* operations, and *n* items in sections
  ///   whose items are removed, moved or inserted.
  public var sequentialSteps: [Step] {
    requireBounds()
    var steps: [Step] = []
    appendItemSteps(to: &steps)
    appendSectionSteps(to: &steps)
    steps += operations.itemUpdates.map { .updateItem(snapshot.item(at: $0.to), at: $0.to) }
    steps += operations.sectionUpdates.map {
      .updateSection(snapshot.sections[$0.to].content, at: $0.to)
    }
    return steps
  }

  /// Appends the steps of items, made while all old sections are in their places and no new one is
  /// there.
  private func appendItemSteps(to steps: inout [Step]) {
    let sections = operations.sectionChange(of: previous.sections.count).offsets
    let rows = operations.stayingRows(in: sections, of: previous.sections.count)
    var lists: [Int: OrderedSlots] = [:]
    for section in rows.indices where !rows[section].isAll {
      lists[section] = OrderedSlots(
        count: previous.numberOfItems(in: section), staying: rows[section])
    }
    func take(_ path: ItemPath) -> ItemPath {
      ItemPath(section: path.section, item: lists[path.section]?.remove(old: path.item) ?? 0)
    }
    func put(_ path: ItemPath) -> ItemPath {
      guard let section = sections.old(of: path.section),
        let item = lists[section]?.insert(new: path.item)
      else { fatalError("sequentialSteps: \(path) is in a section that comes with the stage") }
      return ItemPath(section: section, item: item)
    }
    for path in operations.itemDeletes.reversed() { steps.append(.deleteItem(take(path))) }
    for move in operations.itemMoves {
      let from = take(move.from)
      steps.append(.moveItem(from: from, to: put(move.to)))
    }
    for path in operations.itemInserts {
      steps.append(.insertItem(snapshot.item(at: path), at: put(path)))
    }
  }

  private func appendSectionSteps(to steps: inout [Step]) {
    var list = OrderedSlots(
      count: previous.sections.count,
      staying: operations.sectionChange(of: previous.sections.count).stayingRows)
    for section in operations.sectionDeletes.reversed() {
      steps.append(.deleteSection(list.remove(old: section)))
    }
    for move in operations.sectionMoves {
      let from = list.remove(old: move.from)
      steps.append(.moveSection(from: from, to: list.insert(new: move.to)))
    }
    for section in operations.sectionInserts {
      steps.append(.insertSection(snapshot.sections[section], at: list.insert(new: section)))
    }
  }
}

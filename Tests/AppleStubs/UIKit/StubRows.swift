@_exported import Foundation

// The rows of the stub collection view and of the stub table view, which have no screen. A batch must follow UIKit's rules; a
// broken rule traps.

@MainActor final class StubRows<Cell: UIView> {
  private(set) var cells: [[Cell]] = []
  /// The supplementary views, by kind and section.
  private(set) var views: [String: [Int: UIView]] = [:]
  var batch: StubBatch?
  /// Whether completions wait for `end()`.
  var holdsCompletions = false
  /// The row that the user holds.
  private(set) var held: Cell?
  /// Whether the view has drop placeholders.
  var hasUncommittedUpdates = false
  private(set) var selected: Set<Cell> = []

  private var isLoaded = false
  private var completions: [@MainActor () -> Void] = []
  private let counts: () -> [Int]
  private let cell: (IndexPath) -> Cell
  private let kinds: () -> [String]
  private let view: (String, Int) -> UIView?

  init(
    counts: @escaping () -> [Int], cell: @escaping (IndexPath) -> Cell,
    kinds: @escaping () -> [String], view: @escaping (String, Int) -> UIView?
  ) {
    (self.counts, self.cell, self.kinds, self.view) = (counts, cell, kinds, view)
  }

  func reload() {
    check(batch == nil, "reloadData is called within a batch")
    checkIsFree("reloadData")
    isLoaded = false
    // A reload clears the selection.
    selected = []
  }

  func load() {
    guard !isLoaded else { return }
    isLoaded = true
    cells = counts().enumerated().map { section, count in
      (0..<count).map { cell(IndexPath(item: $0, section: section)) }
    }
    views = [:]
    addViews()
  }

  /// Adds missing supplementary views, with the size that they need.
  private func addViews() {
    for kind in kinds() {
      for section in cells.indices where views[kind]?[section] == nil {
        views[kind, default: [:]][section] = view(kind, section)
        measure(kind, section)
      }
    }
  }

  /// Resizes a supplementary view to its fitting size.
  ///
  /// Without this call, the view keeps its previous size.
  func measure(_ kind: String, _ section: Int) {
    if let view = views[kind]?[section] { view.frame.size = view.sizeThatFits(.zero) }
  }

  func measureAll() {
    for (kind, views) in views { for section in views.keys { measure(kind, section) } }
  }

  /// Traps if the user is dragging a row, or if the view has uncommitted updates.
  ///
  /// UIKit's documentation says to avoid significant changes while `hasUncommittedUpdates` is `true`.
  private func checkIsFree(_ call: String) {
    check(held == nil, "\(call) while the user drags a row")
    check(!hasUncommittedUpdates, "\(call) while the view has uncommitted updates")
  }

  func perform(_ updates: (() -> Void)?, _ completion: (@MainActor (Bool) -> Void)?) {
    load()
    checkIsFree("performBatchUpdates")
    check(counts() == cells.map(\.count), "the data source has changed before the batch")
    batch = StubBatch()
    updates?()
    let carriedOut = batch ?? StubBatch()
    batch = nil
    carryOut(carriedOut)
    completions.append { completion?(true) }
    if !holdsCompletions { Task { @MainActor in end() } }
  }

  /// Calls the completions that have not been called yet.
  func end() {
    let ended = completions
    completions = []
    for completion in ended { completion() }
  }

  private func carryOut(_ batch: StubBatch) {
    let (old, after) = (cells, counts())
    check(batch.isUnique, "a section or a row is named twice")
    check(
      (batch.deleted + batch.sectionMoves.map(\.from)).allSatisfy(old.indices.contains)
        && (batch.inserted + batch.sectionMoves.map(\.to)).allSatisfy(after.indices.contains),
      "a section is out of bounds")
    var origins: [Int?] = Array(repeating: nil, count: after.count)
    for move in batch.sectionMoves { origins[move.to] = move.from }
    let goneSections = Set(batch.deleted + batch.sectionMoves.map(\.from))
    var staying = old.indices.filter { !goneSections.contains($0) }
    for section in origins.indices where origins[section] == nil && !batch.inserted.contains(section) {
      check(!staying.isEmpty, "the number of sections does not match the batch")
      origins[section] = staying.removeFirst()
    }
    check(staying.isEmpty, "the number of sections does not match the batch")

    let leaving = Set(batch.deletedRows + batch.rowMoves.map(\.from))
    for path in leaving {
      check(
        old.indices.contains(path.section) && old[path.section].indices.contains(path.item)
          && !goneSections.contains(path.section),
        "a removed row is out of bounds, or in a deleted or moved section")
    }
    var rows = origins.map { origin in
      origin.map { origin in
        old[origin].indices.filter { !leaving.contains(IndexPath(item: $0, section: origin)) }
          .map { Optional(old[origin][$0]) }
      } ?? []
    }
    let come = batch.insertedRows.map { ($0, nil) } + batch.rowMoves.map { ($0.to, $0.from) }
    for (to, from) in come.sorted(by: { $0.0 < $1.0 }) {
      check(
        rows.indices.contains(to.section) && !batch.inserted.contains(to.section)
          && rows[to.section].count >= to.item,
        "a row is inserted out of bounds, or into an inserted section")
      rows[to.section].insert(from.map { old[$0.section][$0.item] }, at: to.item)
    }
    for section in batch.inserted { rows[section] = Array(repeating: nil, count: after[section]) }
    check(rows.map(\.count) == after, "the number of rows does not match the batch")
    cells = rows.enumerated().map { section, row in
      row.enumerated().map { $1 ?? cell(IndexPath(item: $0, section: section)) }
    }
    selected.formIntersection(cells.joined())
    let oldViews = views
    views = [:]
    for (section, origin) in origins.enumerated() {
      guard let origin else { continue }
      for (kind, old) in oldViews { views[kind, default: [:]][section] = old[origin] }
    }
    addViews()
  }
}

/// Operations on single rows.
extension StubRows {
  func cell(at path: IndexPath) -> Cell {
    load()
    check(
      cells.indices.contains(path.section) && cells[path.section].indices.contains(path.item),
      "\(path) is out of bounds")
    return cells[path.section][path.item]
  }

  /// Replaces the cells of some rows with new ones, which are not selected.
  func reload(_ paths: [IndexPath]) {
    checkIsFree("a reload of rows")
    for path in paths {
      selected.remove(cell(at: path))
      cells[path.section][path.item] = cell(path)
    }
  }

  func select(_ path: IndexPath, alone: Bool) {
    let cell = cell(at: path)
    if alone { selected = [] }
    selected.insert(cell)
  }

  /// The paths of all rows: the view has no screen, so all its rows count as visible.
  var visiblePaths: [IndexPath] {
    cells.enumerated().flatMap { section, row in
      row.indices.map { IndexPath(item: $0, section: section) }
    }
  }

  var selectedPaths: [IndexPath] {
    cells.enumerated().flatMap { section, row in
      row.enumerated().filter { selected.contains($0.element) }
        .map { IndexPath(item: $0.offset, section: section) }
    }
  }

  func hold(_ path: IndexPath) { held = cell(at: path) }

  /// Moves the row that the user holds, and returns its old path, or `nil` if the row stays in place.
  func drop(at path: IndexPath) -> IndexPath? {
    guard let cell = held else { return nil }
    held = nil
    for (section, row) in cells.enumerated() {
      guard let item = row.firstIndex(where: { $0 === cell }) else { continue }
      let from = IndexPath(item: item, section: section)
      guard from != path else { return nil }
      cells[path.section].insert(cells[section].remove(at: item), at: path.item)
      return from
    }
    return nil
  }

  func letGo() { held = nil }
}

struct StubBatch {
  var deleted: [Int] = []
  var inserted: [Int] = []
  var sectionMoves: [(from: Int, to: Int)] = []
  var deletedRows: [IndexPath] = []
  var insertedRows: [IndexPath] = []
  var rowMoves: [(from: IndexPath, to: IndexPath)] = []

  var isUnique: Bool {
    func isUnique(_ names: [some Hashable]) -> Bool { Set(names).count == names.count }
    return isUnique(deleted + sectionMoves.map(\.from)) && isUnique(inserted + sectionMoves.map(\.to))
      && isUnique(deletedRows + rowMoves.map(\.from)) && isUnique(insertedRows + rowMoves.map(\.to))
  }
}

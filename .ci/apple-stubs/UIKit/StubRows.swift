@_exported import Foundation

// Cells without a screen, for the stubs of collection views and tables: batches are carried out on them by UIKit's rules, and the
// program ends where one is broken.

@MainActor final class StubRows<Cell: UIView> {
  private(set) var cells: [[Cell]] = []
  private(set) var headers: [Int: UIView] = [:]
  var batch: StubBatch?

  private var isLoaded = false
  private let counts: () -> [Int]
  private let cell: (IndexPath) -> Cell
  private let header: (Int) -> UIView?

  init(
    counts: @escaping () -> [Int], cell: @escaping (IndexPath) -> Cell,
    header: @escaping (Int) -> UIView?
  ) {
    (self.counts, self.cell, self.header) = (counts, cell, header)
  }

  func reload() {
    check(batch == nil, "reloadData within a batch")
    isLoaded = false
  }

  func load() {
    guard !isLoaded else { return }
    isLoaded = true
    cells = counts().enumerated().map { section, count in
      (0..<count).map { cell(IndexPath(item: $0, section: section)) }
    }
    headers = [:]
    addHeaders()
  }

  /// Headers that are not there yet.
  private func addHeaders() {
    for section in cells.indices where headers[section] == nil { headers[section] = header(section) }
  }

  func perform(_ updates: (() -> Void)?, _ completion: (@MainActor (Bool) -> Void)?) {
    load()
    check(counts() == cells.map(\.count), "the data source has changed before the batch")
    batch = StubBatch()
    updates?()
    let carriedOut = batch ?? StubBatch()
    batch = nil
    carryOut(carriedOut)
    Task { @MainActor in completion?(true) }
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
      check(!staying.isEmpty, "the number of sections does not follow from the batch")
      origins[section] = staying.removeFirst()
    }
    check(staying.isEmpty, "the number of sections does not follow from the batch")

    let leaving = Set(batch.deletedRows + batch.rowMoves.map(\.from))
    for path in leaving {
      check(
        old.indices.contains(path.section) && old[path.section].indices.contains(path.item)
          && !goneSections.contains(path.section),
        "a row that goes is out of bounds, or in a section that goes or moves")
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
        "a row comes out of bounds, or into a section that comes")
      rows[to.section].insert(from.map { old[$0.section][$0.item] }, at: to.item)
    }
    for section in batch.inserted { rows[section] = Array(repeating: nil, count: after[section]) }
    check(rows.map(\.count) == after, "the number of rows does not follow from the batch")
    cells = rows.enumerated().map { section, row in
      row.enumerated().map { $1 ?? cell(IndexPath(item: $0, section: section)) }
    }
    let oldHeaders = headers
    headers = [:]
    for (section, origin) in origins.enumerated() {
      if let origin { headers[section] = oldHeaders[origin] }
    }
    addHeaders()
  }

  /// Puts a row where the user drops it.
  func drag(from: IndexPath, to: IndexPath) {
    load()
    cells[to.section].insert(cells[from.section].remove(at: from.item), at: to.item)
  }

  private func check(_ holds: Bool, _ rule: String) {
    guard holds else { fatalError("UIKit's rules: \(rule)") }
  }
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

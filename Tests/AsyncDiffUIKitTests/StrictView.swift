import AsyncDiff
import AsyncDiffTesting
import AsyncDiffUIKit
import Testing

struct Song: Diffable, Identifiable, Equatable {
  let id: Int
  var title = ""
}

struct Record: SectionInflator {
  let name: String
  var header = ""
  var items: [Song]
  var diffIdentifier: String { name }
  var content: String { header }
}

typealias Albums = DiffableSnapshot<Record>

extension Albums {
  /// Creates albums whose songs have ids but no titles.
  init(_ albums: KeyValuePairs<String, [Int]>) {
    self.init(sections: albums.map { Record(name: $0, items: $1.map { Song(id: $0) }) })
  }

  var ids: [[Int]] { sections.map { $0.items.map(\.id) } }
}

/// The part of a list that a view knows: the identity of each row, but not its content.
private struct Bare: SectionInflator {
  struct Row: Diffable, Identifiable, Equatable { let id: Int }
  let diffIdentifier: String
  let items: [Row]

  static func of(_ snapshot: Albums) -> DiffableSnapshot<Bare> {
    DiffableSnapshot(
      sections: snapshot.sections.map { album in
        Bare(diffIdentifier: album.diffIdentifier, items: album.items.map { Row(id: $0.id) })
      })
  }
}

/// A view without a screen, with cells like those of UIKit's views.
///
/// The view asks the list for the number of rows before and after a batch, carries out operations by position, and records an
/// issue if a UIKit rule is broken.
@MainActor final class StrictView: ListView {
  /// A cell, which stays the same object wherever its row moves.
  final class Cell {
    var song: Song
    init(_ song: Song) { self.song = song }
  }

  weak var list: ListSurface<Record>?
  var isInWindow = true
  private(set) var cells: [[Cell]] = []
  private(set) var headers: [String] = []
  private(set) var reloads = 0, batches = 0, animated = 0
  /// The completions of animations that wait for `end()`.
  private(set) var ends: [@MainActor () -> Void] = []
  var holds = false
  /// Whether animations end in a separate turn of the main actor, as in UIKit.
  var endsLater = false

  /// The cell of the row that the user holds.
  private(set) var held: Cell?
  var isHeld: Bool { held != nil }
  /// The reloads and batches that the list began while the user held a row.
  private(set) var interruptions: [String] = []

  private var isLoaded = false
  private var operations: ListOperations?
  private var animates = true

  var songs: [[Song]] { cells.map { $0.map(\.song) } }

  /// Empty, because the view has no screen.
  let visibleRows: [ItemPath] = []
  private(set) var selection: [ItemPath] = []
  func select(_ paths: [ItemPath]) { selection += paths.filter { !selection.contains($0) } }

  func reload() {
    selection = []
    #expect(operations == nil, "the view is reloaded within a batch")
    if isHeld { interruptions.append("reload") }
    reloads += 1
    isLoaded = false
  }

  /// Asks the list for all rows and headers if the view is not loaded.
  func layout() {
    guard !isLoaded, let list else { return }
    isLoaded = true
    cells = list.shown.sections.indices.map { section in
      list.shown.sections[section].items.indices.map { item in
        Cell(list.itemToShow(at: ItemPath(section: section, item: item)))
      }
    }
    headers = list.shown.sections.map(\.content)
  }

  func animate(_ isOn: Bool, _ change: () -> Void) {
    animates = isOn
    change()
    animates = true
  }

  func perform(_ batch: @escaping () -> Void, completion: @escaping @MainActor () -> Void) {
    guard let list else { return }
    if isHeld { interruptions.append("batch") }
    layout()
    batches += 1
    if animates { animated += 1 }
    let before = list.shown
    #expect(before.sections.map(\.rows.count) == cells.map(\.count), "the data changed too early")
    operations = ListOperations()
    batch()
    let carriedOut = operations ?? ListOperations()
    operations = nil
    carryOut(BatchUpdates(from: Bare.of(before), to: Bare.of(list.shown), carriedOut))
    if endsLater {
      Task { @MainActor in completion() }
    } else if holds {
      ends.append(completion)
    } else {
      completion()
    }
  }

  private func carryOut(_ batch: BatchUpdates<Bare>) {
    guard let list else { return }
    var rows = StrictRows(batch.previous)
    do { try rows.perform(batch) } catch {
      Issue.record("StrictView: \(error)")
      reload()
      return layout()
    }
    let (old, oldHeaders) = (cells, headers)
    cells = rows.origins.enumerated().map { section, row in
      row.enumerated().map { item, origin in
        origin.map { old[$0.section][$0.item] }
          ?? Cell(list.itemToShow(at: ItemPath(section: section, item: item)))
      }
    }
    let names = batch.previous.sections.map(\.diffIdentifier)
    headers = list.shown.sections.enumerated().map { section, album in
      batch.sectionInserts.contains(section)
        ? album.content : oldHeaders[names.firstIndex(of: album.diffIdentifier) ?? 0]
    }
  }

  func deleteSections(_ sections: [Int]) { operations?.sectionDeletes += sections }
  func insertSections(_ sections: [Int]) { operations?.sectionInserts += sections }
  func moveSection(from: Int, to: Int) {
    operations?.sectionMoves.append(Move(from: from, to: to))
  }
  func deleteRows(_ paths: [ItemPath]) { operations?.itemDeletes += paths }
  func insertRows(_ paths: [ItemPath]) { operations?.itemInserts += paths }
  func moveRow(from: ItemPath, to: ItemPath) {
    operations?.itemMoves.append(ItemPath.Move(from: from, to: to))
  }

  func updateRows(_ paths: [ItemPath]) {
    #expect(operations == nil, "within a batch, a path is ambiguous")
    for path in paths {
      guard let song = list?.itemToShow(at: path) else { continue }
      cells[path.section][path.item].song = song
    }
  }
  func replaceRows(_ paths: [ItemPath]) {
    #expect(operations == nil, "within a batch, a path is ambiguous")
    // As in UIKit, a row that gets a new cell is no longer selected.
    selection.removeAll(where: paths.contains)
    for path in paths {
      if let song = list?.itemToShow(at: path) { cells[path.section][path.item] = Cell(song) }
    }
  }
  func updateSections(_ sections: [Int]) {
    for section in sections { headers[section] = list?.shown.sections[section].content ?? "" }
  }

  /// Picks up a row, as the user does.
  func take(at path: ItemPath) {
    layout()
    guard cells.indices.contains(path.section), cells[path.section].indices.contains(path.item)
    else { return }
    held = cells[path.section][path.item]
  }

  /// Drops the held row, as the user does.
  ///
  /// The list is not notified if the row is dropped in its old position or out of bounds.
  func drop(at to: ItemPath) {
    guard let cell = held else { return }
    held = nil
    for (section, row) in cells.enumerated() {
      guard let item = row.firstIndex(where: { $0 === cell }) else { continue }
      let from = ItemPath(section: section, item: item)
      let room = cells.indices.contains(to.section) ? cells[to.section].count : -1
      return from == to || to.item > room ? () : drag(from: from, to: to)
    }
  }

  /// Drags a row to another position, as the user does.
  ///
  /// The view moves the row and notifies the list.
  func drag(from: ItemPath, to: ItemPath) {
    layout()
    cells[to.section].insert(cells[from.section].remove(at: from.item), at: to.item)
    list?.move(from: from, to: to)
  }

  /// Ends the animations that wait for this call.
  func end() {
    let ended = ends
    ends = []
    for end in ended { end() }
  }

  /// Whether the view and the list both show a snapshot.
  func matches(_ snapshot: Albums) -> Bool {
    layout()
    return songs == snapshot.sections.map(\.items) && headers == snapshot.sections.map(\.content)
      && list?.shown == snapshot
  }
}

/// A surface that carries out each stage on arrays, one operation at a time, and records the first broken rule.
actor PlainSurface<Section: SectionInflator>: DraggableSurface {
  typealias Shown = (id: Section.DiffIdentifier, content: Section.Content, items: [Section.Item])

  private(set) var rows: [Shown] = []
  private(set) var complaint: String?

  func reloadData(_ snapshot: DiffableSnapshot<Section>) { rows = Self.rows(of: snapshot) }

  func untilReleased() {}

  func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) {
    do throws(Complaint) {
      rows = try Self.carryOut(batch, on: rows)
      guard shows(batch.snapshot) else { throw Complaint("the stage leads to a wrong snapshot") }
    } catch {
      complaint = complaint ?? "\(error.text): \(batch)"
      rows = Self.rows(of: batch.snapshot)
    }
  }

  /// Moves a row like a drag by the user, before the data source is notified.
  func drag(_ move: ItemPath.Move) {
    let item = rows[move.from.section].items.remove(at: move.from.item)
    rows[move.to.section].items.insert(item, at: move.to.item)
  }

  func shows(_ snapshot: DiffableSnapshot<Section>) -> Bool {
    let new = Self.rows(of: snapshot)
    return new.count == rows.count
      && zip(new, rows).allSatisfy {
        $0.id == $1.id && $0.content == $1.content && $0.items == $1.items
      }
  }

  struct Complaint: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  static func rows(of snapshot: DiffableSnapshot<Section>) -> [Shown] {
    snapshot.sections.map { ($0.diffIdentifier, $0.content, Array($0.rows)) }
  }

  private enum Origin: Equatable { case new, old(Int) }

  /// The rows after a stage.
  ///
  /// Rows that the stage does not name stay unchanged.
  static func carryOut(
    _ batch: BatchUpdates<Section>, on old: [Shown]
  ) throws(Complaint) -> [Shown] {
    let gone = batch.sectionDeletes + batch.sectionMoves.map(\.from)
    var origins = [Origin?](
      repeating: nil, count: old.count - batch.sectionDeletes.count + batch.sectionInserts.count)
    for section in batch.sectionInserts { try put(.new, at: section, in: &origins) }
    for move in batch.sectionMoves { try put(.old(move.from), at: move.to, in: &origins) }
    guard Set(gone).count == gone.count else {
      throw Complaint("a section is deleted or moved twice")
    }
    var staying = old.indices.filter { !gone.contains($0) }[...]
    for section in origins.indices where origins[section] == nil {
      guard let next = staying.popFirst() else { throw Complaint("a section is missing") }
      origins[section] = .old(next)
    }
    guard staying.isEmpty else { throw Complaint("a section is left over") }
    var new: [Shown] = []
    for (section, origin) in origins.enumerated() {
      guard case .old(let from)? = origin else {
        new.append(rows(of: batch.snapshot)[section])
        continue
      }
      new.append(old[from])
      new[section].items = try items(of: batch, from: from, to: section, on: old)
    }
    try refuse(batch, in: gone, and: batch.sectionInserts + batch.sectionMoves.map(\.to))
    for update in batch.sectionUpdates {
      guard origins[update.to] == .old(update.from) else {
        throw Complaint("an update names a different section")
      }
      new[update.to].content = batch.snapshot.sections[update.to].content
    }
    for update in batch.itemUpdates {
      let item = batch.snapshot.item(at: update.to)
      guard old[update.from.section].items[update.from.item].diffIdentifier == item.diffIdentifier
      else { throw Complaint("an update names a different row") }
      new[update.to.section].items[update.to.item] = item
    }
    return new
  }

  private static func put(
    _ origin: Origin, at section: Int, in origins: inout [Origin?]
  ) throws(Complaint) {
    guard origins.indices.contains(section), origins[section] == nil else {
      throw Complaint("section \(section) is not free")
    }
    origins[section] = origin
  }

  private static func items(
    of batch: BatchUpdates<Section>, from: Int, to: Int, on old: [Shown]
  ) throws(Complaint) -> [Section.Item] {
    var items = old[from].items
    let leaving = (batch.itemDeletes + batch.itemMoves.map(\.from)).filter { $0.section == from }
    for path in leaving.sorted().reversed() {
      guard items.indices.contains(path.item) else { throw Complaint("no row at \(path)") }
      items.remove(at: path.item)
    }
    let within = batch.itemMoves.filter { $0.from.section == from && $0.to.section == to }.count
    let coming =
      batch.itemInserts.filter { $0.section == to }.map { ($0, batch.snapshot.item(at: $0)) }
      + batch.itemMoves.filter { $0.to.section == to }
      .map { ($0.to, old[$0.from.section].items[$0.from.item]) }
    for (path, item) in coming.sorted(by: { $0.0 < $1.0 }) {
      guard path.item <= items.count else { throw Complaint("no position at \(path)") }
      items.insert(item, at: path.item)
    }
    let fewest = fewestMoves(old[from].items.map(\.diffIdentifier), items.map(\.diffIdentifier))
    guard within <= fewest else { throw Complaint("\(within) moves where \(fewest) suffice") }
    return items
  }

  /// The number of rows that both lists contain, minus the length of the lists' longest common subsequence.
  private static func fewestMoves<ID: Hashable>(_ old: [ID], _ new: [ID]) -> Int {
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
    let order = new.compactMap { places[$0] }
    var longest: [Int] = []
    for (end, place) in order.enumerated() {
      longest.append(
        1 + (order[..<end].indices.filter { order[$0] < place }.map { longest[$0] }.max() ?? 0))
    }
    return order.count - (longest.max() ?? 0)
  }

  /// Throws if a batch has operations on rows of a section that it also deletes, inserts or moves.
  ///
  /// A collection view does not accept these operations.
  private static func refuse(
    _ batch: BatchUpdates<Section>, in gone: [Int], and come: [Int]
  ) throws(Complaint) {
    let old = batch.itemDeletes + batch.itemMoves.map(\.from)
    let new = batch.itemInserts + batch.itemMoves.map(\.to)
    guard !old.contains(where: { gone.contains($0.section) }),
      !new.contains(where: { come.contains($0.section) })
    else { throw Complaint("a batch changes rows and their section") }
  }
}

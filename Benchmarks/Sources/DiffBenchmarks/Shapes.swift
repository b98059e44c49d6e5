import AsyncDiff
import Measure

/// Measures changes of the same shape in several sizes, to see whether the time grows faster than the size.
func reportShapes() async {
  let report = Report(["shape", "1,000", "10,000", "100,000", "1,000,000", "stages"])
  func row(
    _ name: String, _ sizes: [Int] = [1_000, 10_000, 100_000],
    _ make: (Int) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>)
  ) {
    var stages = 0
    var times = sizes.map { size in
      let (old, new) = make(size)
      let time = minimum(of: size > 100_000 ? 5 : 9) {
        let batches = old.batches(to: new)
        stages = batches.count
        consume(batches)
      }
      return figure(time.milliseconds)
    }
    while times.count < 4 { times.append("") }
    report.row(name, times[0], times[1], times[2], times[3], "\(stages)")
  }
  reportStages(
    report, 2, "⅓ updated, ⅓ deleted, ⅓ inserted, one item into a new section", thirds)
  reportStages(report, 3, "⅓ moved into an inserted section, ⅓ out of a deleted section", crossing)
  row("moved sections that exchange items", [1_000, 10_000], exchanging)
  row(
    "one item into an inserted section, one out of a deleted section",
    [1_000, 10_000, 100_000, 1_000_000]
  ) {
    oneOutOneIn($0)
  }
  row("all sections of one row reversed", [1_000, 10_000, 100_000]) { size in
    (
      DiffableSnapshot(sections: (0..<size).map { Block($0, [Item($0)]) }),
      DiffableSnapshot(sections: (0..<size).reversed().map { Block($0, [Item($0)]) })
    )
  }
  reportOffsets()
  reportEdits()
  reportSharing()
}

/// Measures a change in several stages and the same change in one stage, alternately.
private func reportStages(
  _ report: Report, _ stages: Int, _ name: String,
  _ make: (Int, Bool) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>)
) {
  let times = [1_000, 10_000, 100_000].map { size in
    let (several, one) = (make(size, true), make(size, false))
    precondition(
      several.0.batches(to: several.1).count == stages && one.0.batches(to: one.1).count == 1)
    return minima(
      of: 30,
      [{ consume(several.0.batches(to: several.1)) }, { consume(one.0.batches(to: one.1)) }]
    ).map(\.milliseconds)
  }
  func row(_ name: String, _ stages: String, _ figures: [Double]) {
    report.row(name, figure(figures[0]), figure(figures[1]), figure(figures[2]), "", stages)
  }
  row(name, "\(stages)", times.map { $0[0] })
  row("the same between existing sections", "1", times.map { $0[1] })
  row("ratio", "", times.map { $0[0] / $0[1] })
}

private func thirds(
  _ count: Int, withNewSection extra: Bool
) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>) {
  let old = (0..<count).map { Item($0) }
  var new: [Item] = []
  for row in 0..<count where row % 3 != 1 {
    new.append(row % 3 == 0 ? Item(row, content: 1) : Item(row + count))
  }
  let sections = [Block(0, new)] + (extra ? [Block(1, [old[1]])] : [])
  return (DiffableSnapshot(sections: [Block(0, old)]), DiffableSnapshot(sections: sections))
}

/// Moves a third of the items from the first section to the last section, and as many from the middle section to the first.
///
/// If `isFleeting` is `true`, the change also deletes the middle section and inserts the last section.
private func crossing(
  _ count: Int, whichComesAndGoes isFleeting: Bool
) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>) {
  let rows = (0..<count).map { Item($0) }
  let leaving = rows.filter { $0.diffIdentifier % 3 == 1 }
  let arriving = leaving.map { Item($0.diffIdentifier + count) }
  let new = rows.map { $0.diffIdentifier % 3 == 1 ? Item($0.diffIdentifier + count) : $0 }
  return (
    DiffableSnapshot(
      sections: [Block(0, rows), Block(1, arriving)] + (isFleeting ? [] : [Block(2, [])])),
    DiffableSnapshot(
      sections: [Block(0, new)] + (isFleeting ? [] : [Block(1, [])]) + [Block(2, leaving)])
  )
}

/// Reverses sections, and moves an item from the first of them to each of the others.
///
/// Also moves one row out of a deleted section, and another row into an inserted section.
private func exchanging(_ count: Int) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>) {
  var old = [Block(-1, [Item(-1)])]
  old += (0..<count).map { $0 == 0 ? Block(0, (0..<count).map { Item($0) }) : Block($0, []) }
  old += [Block(-3, [Item(-2)]), Block(-4, [])]
  var new = (0..<count).reversed().map { Block($0, [Item($0)]) }
  new += [Block(-3, []), Block(-4, [Item(-1)]), Block(-2, [Item(-2)])]
  return (DiffableSnapshot(sections: old), DiffableSnapshot(sections: new))
}

private func oneOutOneIn(_ count: Int) -> (DiffableSnapshot<Block>, DiffableSnapshot<Block>) {
  let rows = (0..<count).map { Item($0) }
  return (
    DiffableSnapshot(sections: [Block(0, rows), Block(1, [Item(-5)])]),
    DiffableSnapshot(sections: [Block(0, rows.dropFirst() + [Item(-5)]), Block(2, [Item(0)])])
  )
}

private func reportOffsets() {
  let report = Report(["offsets of all rows, 10 % of which moved", "3,000", "30,000", "300,000"])
  var figures: [[String]] = [[], []]
  for count in [3_000, 30_000, 300_000] {
    var random = Shuffler(state: 1)
    var new = Array(0..<count)
    for _ in 0..<count / 20 {
      new.swapAt(
        Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    }
    let old = Array(0..<count)
    let there = minimum(of: 3) {
      let change = Changeset(from: old, to: new, id: \.self, isContentEqual: ==)
      let offsets = change.offsets(from: count)
      consume(old.reduce(0) { $0 + (offsets.new(of: $1) ?? 0) })
    }
    let back = minimum(of: 3) {
      let change = Changeset(from: old, to: new, id: \.self, isContentEqual: ==)
      let offsets = change.offsets(from: count)
      consume(old.reduce(0) { $0 + (offsets.old(of: $1) ?? 0) })
    }
    figures[0].append(figure(there.milliseconds))
    figures[1].append(figure(back.milliseconds))
  }
  report.row(
    "offsets.new(of:), including the comparison, ms", figures[0][0], figures[0][1], figures[0][2])
  report.row(
    "offsets.old(of:), including the comparison, ms", figures[1][0], figures[1][1], figures[1][2])
}

private func reportEdits() {
  let report = Report(["1,000 sections", "10,000 rows", "100,000", "1,000,000"])
  var times: [String] = []
  for rows in [10, 100, 1_000] {
    let snapshot = DiffableSnapshot(
      sections: (0..<1_000).map { section in
        Block(section, (0..<rows).map { Item(section * rows + $0) })
      })
    consume(snapshot.path(ofItem: 0))
    let deletes = minimum(of: 3) {
      var edited = snapshot
      let gone = Set((0..<50).map { 500 * rows + $0 * (rows / 10) % rows })
      try? edited.deleteItems(gone)
      consume(edited.path(ofItem: 500 * rows + rows - 1))
    }
    times.append(figure(deletes.milliseconds))
  }
  report.row("50 deletes with one call, and a lookup, ms", times[0], times[1], times[2])
}

/// Measures lists that share nearly all of their memory, and lists that share none of it.
private func reportSharing() {
  let lists = (0..<1_000).map { section in
    (0..<1_000).map { AnyNodable(Item(section * 1_000 + $0)) }
  }
  func snapshot(_ lists: [[AnyNodable]]) -> DiffableSnapshot<MixedBlock> {
    DiffableSnapshot(
      sections: lists.indices.map { MixedBlock(diffIdentifier: $0, items: lists[$0]) })
  }
  let old = snapshot(lists)
  var changed = lists
  changed[500][7] = AnyNodable(Item(500_007, content: 1))
  let shared = snapshot(changed)
  var edited = old
  try? edited.replaceItems([AnyNodable(Item(500_007, content: 1))])
  let fresh = snapshot(
    lists.map { list in list.map { item in AnyNodable((item.base as? Item) ?? Item(0)) } })
  let report = Report(["1,000 × 1,000 `AnyNodable`, one row changed", "ms"])
  for (name, new) in [
    ("sections with the same arrays", shared), ("an edited copy of the shown snapshot", edited),
    ("all arrays and rows recreated", fresh),
  ] {
    report.row(name, figure(minimum(of: 5) { consume(old.batches(to: new)) }.milliseconds))
  }
}

struct Item: Nodable, Hashable {
  let diffIdentifier: Int
  var content = 0

  init(_ id: Int, content: Int = 0) {
    diffIdentifier = id
    self.content = content
  }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock { { Node() } }

  struct Node: CellNode {}
}

struct Block: SectionInflator {
  let diffIdentifier: Int
  let items: [Item]

  init(_ id: Int, _ items: [Item]) {
    diffIdentifier = id
    self.items = items
  }
}

private struct MixedBlock: SectionInflator {
  let diffIdentifier: Int
  let items: [AnyNodable]
}

private struct Shuffler: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

extension FlatWorkload {
  /// Large edits of adjacent rows, as in DifferenceKit's own benchmark, and edits that are scattered over the list.
  public static func edits(id: (inout SplitMix64) -> ID) -> [Self] {
    var random = SplitMix64(1)
    return [
      edited(
        "a", "5,000 rows; 1,000 deleted, 1,000 inserted, 200 shuffled", count: 5_000,
        deletes: 2_000..<3_000, inserts: 3_000..<4_000, shuffled: 0..<200, random: &random, id: id),
      edited(
        "b", "100,000; 10,000 / 10,000 / 200", count: 100_000,
        deletes: 20_000..<30_000, inserts: 30_000..<40_000, shuffled: 0..<200, random: &random,
        id: id),
      edited(
        "b2", "100,000; 10,000 / 10,000 / 2,000", count: 100_000,
        deletes: 20_000..<30_000, inserts: 30_000..<40_000, shuffled: 0..<2_000, random: &random,
        id: id),
      scattered(
        "b3", "100,000; 10,000 / 10,000 scattered, 200 moved", count: 100_000, edits: 10_000,
        moves: 100, id: id),
    ]
  }

  /// Changes that each contain at most one kind of edit, such as an append or a shuffle, and a small mixed change.
  public static func changes(id: (inout SplitMix64) -> ID) -> [Self] {
    var random = SplitMix64(2)
    let rows = (0..<100_000).map { _ in Row(diffIdentifier: id(&random)) }
    let some = Array(rows.prefix(10_000))
    let fresh = (0..<50).map { _ in Row(diffIdentifier: id(&random)) }
    let few = (0..<10).map { _ in id(&random) }
    let repeated = (0..<10_000).map { _ in
      Row(diffIdentifier: few[Int.random(in: 0..<10, using: &random)])
    }
    return [
      Self(name: "c", summary: "100,000; 50 appended", old: rows, new: rows + fresh),
      Self(name: "p", summary: "100,000; 50 prepended", old: rows, new: fresh + rows),
      Self(
        name: "d", summary: "100,000; one row's content changed", old: rows,
        new: changed(rows, at: [50_000])),
      Self(
        name: "f", summary: "100,000; no change, separate storage", old: rows,
        new: changed(rows, at: [])),
      Self(
        name: "e", summary: "100,000; first moved to the end", old: rows,
        new: Array(rows[1...] + rows[..<1])),
      Self(
        name: "u", summary: "100,000; 10 % changed", old: rows,
        new: changed(rows, at: (0..<100_000).shuffled(using: &random).prefix(10_000))),
      Self(
        name: "g", summary: "10,000; full shuffle", old: some, new: some.shuffled(using: &random)),
      Self(name: "h", summary: "10,000; reversed", old: some, new: some.reversed()),
      Self(
        name: "z", summary: "10,000 rows with only 10 ids", old: repeated,
        new: repeated.shuffled(using: &random)),
      small(Array(rows.prefix(100)), fresh: fresh.prefix(5), random: &random),
    ]
  }

  private static func changed(_ rows: [Row<ID>], at offsets: some Sequence<Int>) -> [Row<ID>] {
    var rows = rows
    rows.reserveCapacity(rows.count + 1)
    for offset in offsets { rows[offset].content += 1 }
    return rows
  }

  private static func small(
    _ rows: [Row<ID>], fresh: ArraySlice<Row<ID>>, random: inout SplitMix64
  ) -> Self {
    var new = rows
    for _ in 0..<5 { new.remove(at: Int.random(in: 0..<new.count, using: &random)) }
    for row in fresh { new.insert(row, at: Int.random(in: 0..<new.count, using: &random)) }
    for _ in 0..<3 {
      let row = new.remove(at: Int.random(in: 0..<new.count, using: &random))
      new.insert(row, at: Int.random(in: 0..<new.count, using: &random))
    }
    for _ in 0..<5 { new[Int.random(in: 0..<new.count, using: &random)].content += 1 }
    return Self(
      name: "s", summary: "100 rows: 5 deleted, 5 inserted, 3 moved, 5 changed; 1,000 times",
      old: rows, new: new,
      repetitions: 1_000)
  }
}

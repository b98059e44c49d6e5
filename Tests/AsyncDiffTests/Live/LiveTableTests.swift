import Foundation

@testable import AsyncDiff

@Suite struct LiveTableTests {
  @Test("D26: after random edits, a table and its older versions have the same rows as plain lists")
  func random() {
    expectNoComplaint(seed: 5, rounds: 40) { random in
      let count = random.integer(in: 1...300)
      var (table, oracle) = (LiveTable<Quote>(), TableOracle())
      var versions: [(LiveTable<Quote>, TableOracle)] = []
      for _ in 0..<60 {
        oracle.edit(with: &table, upTo: count, using: &random)
        if random.bool(probability: 0.2) { versions.append((table, oracle)) }
      }
      for (table, oracle) in versions + [(table, oracle)] {
        guard table.rows == oracle.rows, table.elementsEqual(oracle.rows) else {
          return "other rows"
        }
        guard oracle.rows.allSatisfy({ table[$0.id] == $0 }),
          table["none"] == nil, table.count == oracle.rows.count
        else { return "a row is not found" }
      }
      return nil
    }
  }

  @Test(
    "D26: identifiers whose hashes collide are distinguished, even if they are not Comparable",
    arguments: [40, 400])
  func collisions(count: Int) {
    typealias Table = LiveTable<Row<Poor>>
    var random = SeededGenerator(seed: 9)
    var table = Table()
    var list: [Row<Poor>] = []
    let query = LiveQuery(of: Row<Poor>.self)
    var derived = DerivedSnapshot(query, of: table)
    for step in 0..<400 {
      let id = Poor(number: random.integer(in: 0...count))
      list.removeAll { random.bool(probability: 0.1) || $0.diffIdentifier == id && step % 5 == 0 }
      table.replaceAll(list)
      var rows = [Row(diffIdentifier: id, content: step), Row(diffIdentifier: id, content: step)]
      if step % 3 == 0 {
        rows += (0...count / 2).map { _ in
          Row(diffIdentifier: Poor(number: random.integer(in: 0...count)), content: step % 7)
        }
      }
      for row in rows {
        if let place = list.firstIndex(where: { $0.diffIdentifier == row.diffIdentifier }) {
          list[place] = row
        } else {
          list.append(row)
        }
      }
      table.upsert(rows)
      _ = derived.update(to: table, query)
      let isRight = table.rows == list && derived.snapshot.items(in: 0) == list
      #expect(isRight)
    }
  }

  /// A name whose hash depends only on its group, so that names collide.
  private struct Name: Hashable {
    let group: Int
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(group) }
  }

  private struct Named: Diffable, Equatable, Sendable {
    let diffIdentifier: Name
    static func all(_ group: Int, _ numbers: Range<Int>) -> [Named] {
      numbers.map { Named(diffIdentifier: Name(group: group, number: $0)) }
    }
  }

  @Test(
    "D26: no change is lost if, between two versions, one page of a table shrinks and another grows"
  )
  func shrinkAndGrow() {
    let groups = (0..<3).sorted {
      Name(group: $0, number: 0).hashValue < Name(group: $1, number: 0).hashValue
    }
    var table = LiveTable(groups.flatMap { Named.all($0, 0..<60) })
    table.remove(ids: groups[1...].flatMap { Named.all($0, 20..<60) }.map(\.diffIdentifier))
    let old = table
    table.remove(ids: Named.all(groups[0], 0..<60).map(\.diffIdentifier))
    table.upsert(Named.all(groups[2], 100..<180))
    let changes = table.changes(since: old)
    #expect(changes.count { $0.new == nil } == 60 && changes.count { $0.old == nil } == 80)
  }

  @Test("D26: encoding keeps the order in which rows arrived")
  func coding() throws {
    var table = LiveTable([Quote(id: "b"), Quote(id: "a"), Quote(id: "c")])
    table.remove(id: "b")
    table.upsert(Quote(id: "b", volume: 3))
    let data = try JSONEncoder().encode(table)
    let decoded = try JSONDecoder().decode(LiveTable<Quote>.self, from: data)
    #expect(decoded.rows.map(\.id) == ["a", "c", "b"])
    #expect(decoded == table && decoded != LiveTable())
  }

  @Test("D26: an update that throws changes nothing, and updating an unknown row returns false")
  func update() {
    struct Refusal: Error {}
    var table = LiveTable([Quote(id: "a")])
    #expect(throws: Refusal.self) {
      try table.update(id: "a") { row throws(Refusal) in
        row.volume = 3
        throw Refusal()
      }
    }
    #expect(table["a"]?.volume == 0)
    let isThere = table.update(id: "b") { $0.volume = 1 }
    #expect(!isThere)
    let gone = [table.remove(id: "b"), table.remove(id: "a")]
    #expect(gone.map { $0?.id } == [nil, "a"] && table.isEmpty)
  }
}

/// Compares random edits with the same edits of plain arrays, which share no code with the snapshot.
@Suite struct SnapshotEditRandomTests {
  /// The list of a snapshot, as section names and item numbers.
  private struct Plain: Equatable {
    var sections: [(name: String, ids: [Int])] = []

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.sections.map(\.name) == rhs.sections.map(\.name)
        && lhs.sections.map(\.ids) == rhs.sections.map(\.ids)
    }

    var ids: [Int] { sections.flatMap(\.ids) }

    func section(of id: Int) -> Int { sections.firstIndex { $0.ids.contains(id) } ?? -1 }

    func offset(of name: String) -> Int { sections.firstIndex { $0.name == name } ?? -1 }

    mutating func insert(_ id: Int, _ shift: Int, from other: Int) {
      let section = section(of: other)
      let place = sections[section].ids.firstIndex(of: other) ?? 0
      sections[section].ids.insert(id, at: place + shift)
    }

    mutating func remove(_ id: Int) {
      for section in sections.indices { sections[section].ids.removeAll { $0 == id } }
    }
  }

  @Test("A11: after random edits, a snapshot and its lookups agree with plain arrays")
  func edits() throws {
    try expectNoComplaint(seed: 1, rounds: 300) { generator in
      var (plain, snapshot, next) = (Plain(), Days(), 0)
      for _ in 0..<40 {
        let kept = generator.bool(probability: 0.3) ? snapshot : nil
        let before = kept?.ids
        try edit(&snapshot, &plain, &next, &generator)
        guard kept?.ids == before else { return "an edit changes a copy" }
        for days in [snapshot, kept ?? snapshot] {
          guard days.paths.allSatisfy({ days.path(ofItem: days.item(at: $0).id) == $0 }),
            days.path(ofItem: -1) == nil
          else { return "an item is found at a wrong path in \(days)" }
        }
        guard snapshot.ids == plain.sections.map(\.ids),
          snapshot.sections.map(\.diffIdentifier) == plain.sections.map(\.name)
        else { return "\(snapshot) instead of \(plain)" }
      }
      return nil
    }
  }

  private func edit(
    _ snapshot: inout Days, _ plain: inout Plain, _ next: inout Int,
    _ generator: inout SeededGenerator
  ) throws {
    next += 1
    let new = next
    let name = plain.sections.map(\.name).randomElement(using: &generator)
    let one = plain.ids.randomElement(using: &generator)
    let other = plain.ids.randomElement(using: &generator)
    let isBefore = generator.bool()
    switch (generator.integer(in: 0...7), name, one, other) {
    case (0, let name?, _, _):
      try snapshot.appendItems([Article(new)], toSection: name)
      plain.sections[plain.offset(of: name)].ids.append(new)
    case (1, _, let one?, _):
      isBefore
        ? try snapshot.insertItems([Article(new)], beforeItem: one)
        : try snapshot.insertItems([Article(new)], afterItem: one)
      plain.insert(new, isBefore ? 0 : 1, from: one)
    case (2, _, let one?, let other?):
      try snapshot.deleteItems([one, other])
      plain.remove(one)
      plain.remove(other)
    case (3, _, let one?, let other?):
      isBefore
        ? try snapshot.moveItem(one, beforeItem: other)
        : try snapshot.moveItem(one, afterItem: other)
      guard one != other else { return }
      plain.remove(one)
      plain.insert(one, isBefore ? 0 : 1, from: other)
    case (4, let name?, let one?, _):
      try snapshot.moveItem(one, toEndOfSection: name)
      plain.remove(one)
      plain.sections[plain.offset(of: name)].ids.append(one)
    case (5, let name?, _, _):
      try snapshot.deleteSections([name])
      plain.sections.remove(at: plain.offset(of: name))
    case (6, let name?, _, _):
      let place = generator.integer(in: 0...plain.sections.count - 1)
      let target = plain.sections[place].name
      guard target != name else { return }
      isBefore
        ? try snapshot.moveSection(name, beforeSection: target)
        : try snapshot.moveSection(name, afterSection: target)
      let moved = plain.sections.remove(at: plain.offset(of: name))
      plain.sections.insert(moved, at: plain.offset(of: target) + (isBefore ? 0 : 1))
    case (7, let name?, _, _):
      isBefore
        ? try snapshot.insertSections([Day("day \(new)", ids: [new])], beforeSection: name)
        : try snapshot.insertSections([Day("day \(new)", ids: [new])], afterSection: name)
      let place = plain.offset(of: name) + (isBefore ? 0 : 1)
      plain.sections.insert(("day \(new)", [new]), at: place)
    default:
      try snapshot.appendSections([Day("day \(new)", ids: [new])])
      plain.sections.append(("day \(new)", [new]))
    }
  }
}

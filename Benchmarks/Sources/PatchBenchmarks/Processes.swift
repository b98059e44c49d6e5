import AsyncDiff

/// A row of a list of processes: about 58 bytes of JSON.
struct Process: Diffable, Equatable, Codable {
  let pid: Int
  var name: String
  var cpu: Int
  var memory: Int

  var diffIdentifier: Int { pid }
}

/// A row that has only an identifier: 11 or 12 bytes of JSON.
struct Token: Diffable, Equatable, Codable {
  let id: Int

  var diffIdentifier: Int { id }
}

/// A section of rows.
struct Group<Row: Diffable & Equatable & Sendable>: SectionInflator {
  var name: String
  var content: String
  var items: [Row]

  var diffIdentifier: String { name }
}

extension [Group<Process>] {
  /// Ten groups of a hundred processes.
  static var processes: Self {
    (0..<10).map { group in
      Group(
        name: "user\(group)", content: "100 processes",
        items: (0..<100).map {
          Process(
            pid: 1_000 * (group + 1) + $0, name: "program-\($0)", cpu: ($0 * 37) % 1_000,
            memory: 4_096 * ($0 + 1))
        })
    }
  }

  /// The same groups with every *n*-th row changed.
  func changing(every stride: Int) -> Self {
    var number = 0
    return map { group in
      var group = group
      for row in group.items.indices {
        if number % stride == 0 { group.items[row].cpu += 1 }
        number += 1
      }
      return group
    }
  }
}

extension [Group<Token>] {
  /// Ten groups of a hundred tokens.
  static var tokens: Self {
    (0..<10).map { group in
      Group(
        name: "\(group)", content: "", items: (0..<100).map { Token(id: 1_000 * (group + 1) + $0) })
    }
  }
}

import AsyncDiff

/// A row whose text may contain characters that JSON escapes.
struct Card: Diffable, Identifiable, Equatable, Codable {
  let id: Int
  var text: String
}

/// A section with a title.
struct Column: SectionInflator {
  let name: String
  var content: String
  var items: [Card]

  var diffIdentifier: String { name }
}

typealias Board = DiffableSnapshot<Column>

extension Board {
  /// The FNV-1a hash of everything that the board shows, which is the same in every process.
  var digest: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    for section in sections {
      add(section.diffIdentifier)
      add(section.content)
      for item in section.items {
        add("\(item.id)")
        add(item.text)
      }
    }
    return hash
  }
}

/// Edits a board at random.
///
/// Equal seeds make equal edits.
struct Editor {
  private var columns: [Column] = []
  private var lastID = 0
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
    for number in 0..<4 {
      columns.append(
        Column(name: "column \(number)", content: "", items: (0..<8).map { _ in card() }))
    }
  }

  var board: Board { Board(sections: columns) }

  /// Makes one edit.
  mutating func edit() {
    let column = index(below: columns.count)
    guard column < columns.count else { return addColumn() }
    let row = index(below: columns[column].items.count + 1)
    guard row < columns[column].items.count else {
      return columns[column].items.append(card())
    }
    switch index(below: 40) {
    case 0: addColumn()
    case 1: columns.remove(at: column)
    case 2: columns.insert(columns.remove(at: column), at: index(below: columns.count))
    case 3...5: columns[column].content = text()
    case 6: columns[column].items = columns[column].items.shuffled(using: &self)
    case 7: columns[column].items.removeAll()
    case 8...14: columns[column].items.insert(card(), at: row)
    case 15...22: columns[column].items.remove(at: row)
    case 23...30:
      let card = columns[column].items.remove(at: row)
      let target = index(below: columns.count)
      columns[target].items.insert(card, at: index(below: columns[target].items.count + 1))
    default: columns[column].items[row].text = text()
    }
  }

  private mutating func addColumn() {
    lastID += 1
    guard columns.count < 8 else { return }
    columns.insert(
      Column(
        name: "column \(lastID)", content: text(), items: (0..<index(below: 6)).map { _ in card() }),
      at: index(below: columns.count + 1))
  }

  private mutating func card() -> Card {
    lastID += 1
    return Card(id: lastID, text: text())
  }

  private mutating func text() -> String {
    let words = ["", "tea", "\"quoted\"", "back\\slash", "über", "日本", "a/b~c", "<b>", "🙂"]
    return words[index(below: words.count)] + "\(index(below: 1_000))"
  }

  mutating func index(below count: Int) -> Int {
    count < 2 ? 0 : Int(next() % UInt64(count))
  }
}

extension Editor: RandomNumberGenerator {
  /// SplitMix64 (Steele, Lea and Flood 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

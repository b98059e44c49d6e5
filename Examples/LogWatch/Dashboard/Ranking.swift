import AsyncDiff

/// The busiest keys in order, and how that order came from the one before.
struct Ranking: Hashable, Sendable {
  /// What became of a row when the order was last looked at.
  enum Mark: Hashable, Sendable {
    case stayed, rose, fell, new
  }

  struct Row: Hashable, Sendable {
    var entry: TopKeys.Entry
    var mark: Mark
  }

  private(set) var rows: [Row] = []

  /// Takes over a new order; `Changeset` finds the fewest rows that moved, and only those are marked.
  mutating func update(to entries: [TopKeys.Entry]) {
    let change = Changeset(
      from: rows.map(\.entry), to: entries, id: \.key,
      isContentEqual: { $0.count == $1.count && $0.excess == $1.excess })
    let isFirst = rows.isEmpty
    rows = entries.map { Row(entry: $0, mark: .stayed) }
    if isFirst { return }
    for row in change.inserts { rows[row].mark = .new }
    for move in change.moves where move.from != move.to {
      rows[move.to].mark = move.to < move.from ? .rose : .fell
    }
  }
}

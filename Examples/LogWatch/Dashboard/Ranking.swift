import AsyncDiff

/// The most frequent keys, ranked, with the changes since the previous ranking.
struct Ranking: Hashable, Sendable {
  /// How the position of a row has changed since the previous ranking.
  enum Mark: Hashable, Sendable {
    case stayed, rose, fell, new
  }

  struct Row: Hashable, Sendable {
    var entry: TopKeys.Entry
    var mark: Mark
  }

  private(set) var rows: [Row] = []

  /// Applies a new ranking, and marks the new rows and the moved rows.
  ///
  /// A `Changeset` moves as few rows as possible, so few rows are marked.
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

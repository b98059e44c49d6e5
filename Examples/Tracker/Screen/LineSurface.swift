import AsyncDiff

/// A surface that prints the whole list after each change.
actor LineSurface: CollectionSurface {
  private let print: @Sendable (String) -> Void

  init(print: @escaping @Sendable (String) -> Void) { self.print = print }

  func reloadData(_ snapshot: DiffableSnapshot<Month>) { draw(snapshot) }

  func performBatchUpdates(_ batch: BatchUpdates<Month>, animated: Bool) {
    draw(batch.snapshot)
  }

  private func draw(_ snapshot: DiffableSnapshot<Month>) {
    for section in snapshot.sections {
      print(section.content)
      for row in section.items { print("  \(line(of: row))") }
    }
  }

  private func line(of row: Row) -> String {
    let expense = row.expense
    let worth = row.euro.map { "\($0.cents) EUR" } ?? "?"
    return "\(row.isPaid ? "x" : " ") \(expense.id)  \(expense.what)  "
      + "\(expense.amount.cents) \(expense.currency)  \(worth)"
  }
}

import AsyncDiff

struct Expense: Diffable, Identifiable, Equatable, Codable, Sendable {
  let id: Int
  var month: String
  var what: String
  var amount: Double
  var currency: String
}

/// An expense with its value in euros.
struct Row: Diffable, Identifiable, Equatable, Sendable {
  var expense: Expense
  var isPaid: Bool
  var euro: Double?
  var id: Int { expense.id }
}

struct Month: SectionInflator {
  let name: String
  var items: [Row]
  var diffIdentifier: String { name }
  var content: String {
    "\(name)  \(items.reduce(0) { $0 + ($1.euro ?? 0) }.cents) EUR"
  }
}

extension Double {
  var cents: String {
    let (sign, whole) = (self < 0 ? "-" : "", Int((abs(self) * 100).rounded()))
    return "\(sign)\(whole / 100).\(whole % 100 < 10 ? "0" : "")\(whole % 100)"
  }
}

func months(of ledger: Ledger.State, found: Set<Int>?, rates: [String: Double]) -> [Month] {
  let shown = ledger.expenses.filter { found?.contains($0.id) ?? true }
  return Dictionary(grouping: shown, by: \.month).sorted { $0.key > $1.key }.map { name, expenses in
    Month(
      name: name,
      items: expenses.map { expense in
        Row(
          expense: expense, isPaid: ledger.paid.contains(expense.id),
          euro: rates[expense.currency].map { $0 * expense.amount })
      })
  }
}

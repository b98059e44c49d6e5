import AsyncOptical

/// A shell whose commands control the app.
struct Shell {
  static let usage = """
    a MONTH WHAT AMOUNT CURRENCY  add an expense    d ID  delete it    p ID  pay it
    / TEXT  search    u  undo    r  redo    l  load    s  save    f  break or repair the service    q  quit
    """

  let ledger: Ledger
  let search: Search
  let service: DemoService

  /// Carries out a command, and returns whether the program continues.
  func run(_ line: String, print: (String) -> Void) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    let id = words.dropFirst().first.flatMap { Int($0) }
    switch (words.first, id) {
    case ("q", _): return false
    case ("u", _): ledger.send(.undo)
    case ("r", _): ledger.send(.redo)
    case ("l", _): ledger.send(.load)
    case ("s", _): ledger.send(.save)
    case ("f", _): service.isBroken.toggle()
    case ("/", _): search.send(.type(words.dropFirst().joined(separator: " ")))
    case ("d", let id?): ledger.send(.remove(id))
    case ("p", let id?): ledger.send(.pay(id))
    case ("a", _):
      guard let expense = expense(words) else { fallthrough }
      ledger.send(.add(expense))
    default: print(Self.usage)
    }
    return true
  }

  private func expense(_ words: [String]) -> Expense? {
    guard words.count == 5, let amount = Double(words[3]) else { return nil }
    let id = (ledger.state.expenses.map(\.id).max() ?? 0) + 1
    return Expense(id: id, month: words[1], what: words[2], amount: amount, currency: words[4])
  }
}

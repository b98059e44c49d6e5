import AsyncOptical

struct LedgerService: Sendable {
  var load: @Sendable () async throws -> [Expense]
  var save: @Sendable ([Expense]) async throws -> Void
  var pay: @Sendable (Int) async throws -> Void
}

/// The expenses, which are loaded from a service and saved to it after each edit.
actor Ledger: Opticle {
  struct State: Sendable, Equatable {
    var expenses: [Expense] = [], paid: Set<Int> = []
    var isLoading = false, isSaved = true, message = ""
  }

  typealias Request = Work<Ledger>
  typealias Response = Change<State>

  let knot = Knot(State())
  fileprivate let service: LedgerService
  /// Whether the service's expenses have been loaded.
  ///
  /// A save before the load would delete them, because it replaces all expenses of the service.
  fileprivate var isLoaded = false
  fileprivate lazy var history = UndoHistory(of: self, restoring: \.expenses)

  init(service: LedgerService) { self.service = service }

  fileprivate func save(_ change: @escaping @Sendable (inout State) -> Void) {
    _ = history
    commit {
      change(&$0)
      $0.isSaved = false
    }
    send(.save)
  }
}

extension Work<Ledger> {
  static let load = Work(.exclusive("load"), name: "load") { ledger in
    let isLoaded = await ledger.load(showing: { ($0.isLoading, $0.message) = (true, "") }) {
      try await ledger.retry(.exponential(attempts: 3), timeout: .seconds(5)) {
        try await ledger.service.load()
      }
    } mutate: { state, loaded in
      let added = state.expenses.filter { !loaded.map(\.id).contains($0.id) }
      (state.expenses, state.isSaved) = (loaded + added, added.isEmpty)
    } recover: {
      $0.message = "not loaded: \($1)"
    }
    if isLoaded {
      ledger.isLoaded = true
      ledger.clear(ledger.history)
    }
    if !ledger.state.isSaved { ledger.send(.save) }
  }

  static let save = Work(.serial("save"), name: "save") { ledger in
    guard ledger.isLoaded else { return }
    let expenses = ledger.state.expenses
    await ledger.commit {
      try await ledger.retry(.exponential(attempts: 3)) { try await ledger.service.save(expenses) }
    } mutate: { state, _ in
      (state.isSaved, state.message) = (state.expenses == expenses, "")
    } recover: {
      $0.message = "not saved: \($1)"
    }
  }

  static func add(_ expense: Expense) -> Self { remove(expense.id, adding: [expense]) }
  static func remove(_ id: Int, adding new: [Expense] = []) -> Self {
    Work { $0.save { $0.expenses = $0.expenses.filter { $0.id != id } + new } }
  }
  static func pay(_ id: Int) -> Self {
    Work(.serial("pay", atMost: 2), expecting: { $0.paid.insert(id) }) {
      try await $0.service.pay(id)
    } recover: {
      $0.message = "not paid: \($1)"
    }
  }
  static let undo = Work(name: "undo") { if $0.undo($0.history) { $0.save { _ in } } }
  static let redo = Work(name: "redo") { if $0.redo($0.history) { $0.save { _ in } } }
}

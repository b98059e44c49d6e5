import AsyncOptical

@testable import Tracker

/// The Tracker's ledger, with requests as enum cases instead of values.
actor LedgerWithCases: Opticle {
  enum Request: Sendable { case load, add(Expense), remove(Int), pay(Int), save, undo, redo }
  enum Response: Sendable {
    case loading, loaded([Expense]), added(Expense), removed(Int), paid(Int), restored
    case saved([Expense])
  }

  let knot = Knot(Ledger.State())
  private let service: LedgerService
  private lazy var history = UndoHistory(of: self, restoring: \.expenses)

  init(service: LedgerService) { self.service = service }

  func dispatch(_ request: Request) async {
    let (history, service) = (history, service)
    switch request {
    case .load:
      let isLoaded = await load(from: request, showing: .loading) {
        .loaded(
          try await retry(.exponential(attempts: 3), timeout: .seconds(5), service.load))
      }
      if isLoaded { history.clear() }
      if !state.isSaved { send(.save) }
    case .add(let expense): save(.added(expense))
    case .remove(let id): save(.removed(id))
    case .pay(let id):
      await commit(expectationOf: request) { try await service.pay(id) }
    case .save:
      let expenses = state.expenses
      await commit(from: request) {
        try await retry(.exponential(attempts: 3)) { try await service.save(expenses) }
        return .saved(expenses)
      }
    case .undo: if undo(history) { save(.restored) }
    case .redo: if redo(history) { save(.restored) }
    }
  }

  private func save(_ response: Response) {
    commit(response)
    send(.save)
  }

  func expectation(of request: Request) -> Response? {
    if case .pay(let id) = request { .paid(id) } else { nil }
  }

  func mutate(_ state: inout Ledger.State, response: Response) {
    switch response {
    case .loading: (state.isLoading, state.message) = (true, "")
    case .loaded(let loaded):
      let added = state.expenses.filter { !loaded.map(\.id).contains($0.id) }
      (state.expenses, state.isSaved) = (loaded + added, added.isEmpty)
    case .added(let new):
      (state.expenses, state.isSaved) = (state.expenses.filter { $0.id != new.id } + [new], false)
    case .removed(let id):
      (state.expenses, state.isSaved) = (state.expenses.filter { $0.id != id }, false)
    case .paid(let id): state.paid.insert(id)
    case .restored: state.isSaved = false
    case .saved(let expenses): (state.isSaved, state.message) = (state.expenses == expenses, "")
    }
  }

  func recover(_ state: inout Ledger.State, request: Request, error: any Error) {
    switch request {
    case .load: state.message = "not loaded: \(error)"
    case .pay: state.message = "not paid: \(error)"
    default: state.message = "not saved: \(error)"
    }
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .load: .exclusive("load")
    case .save: .serial("save")
    case .pay: .serial("pay", atMost: 2)
    case .add, .remove, .undo, .redo: .concurrent
    }
  }
}

/// The Tracker's search, with requests as enum cases instead of values.
actor SearchWithCases: Opticle {
  enum Request: Sendable { case type(String), find(String) }
  enum Response: Sendable { case typed(String), found(Set<Int>?) }

  let knot = Knot(Search.State())
  private let find: @Sendable (String) async throws -> Set<Int>

  init(find: @escaping @Sendable (String) async throws -> Set<Int>) { self.find = find }

  func dispatch(_ request: Request) async {
    switch request {
    case .type(let text):
      commit(.typed(text))
      send(.find(text))
    case .find(let text):
      await load(from: request) { [find] in .found(text.isEmpty ? nil : try await find(text)) }
    }
  }

  func mutate(_ state: inout Search.State, response: Response) {
    switch response {
    case .typed(let query): state.query = query
    case .found(let ids): (state.found, state.message) = (ids, "")
    }
  }

  func recover(_ state: inout Search.State, request: Request, error: any Error) {
    state.message = "not searched: \(error)"
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    if case .find = request { .debounced("find", for: .milliseconds(300)) } else { .concurrent }
  }
}

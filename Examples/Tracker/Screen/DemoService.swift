import Synchronization

/// A slow service that keeps its data in memory, and fails on demand.
final class DemoService: Sendable {
  struct Offline: Error, CustomStringConvertible {
    let description = "the service is offline"
  }

  private struct State {
    var expenses: [Expense]
    var isBroken = false
  }

  private let state: Mutex<State>
  private let delay: Duration

  init(_ expenses: [Expense] = sample, delay: Duration = .milliseconds(200)) {
    state = Mutex(State(expenses: expenses))
    self.delay = delay
  }

  var expenses: [Expense] { state.withLock { $0.expenses } }

  var isBroken: Bool {
    get { state.withLock { $0.isBroken } }
    set { state.withLock { $0.isBroken = newValue } }
  }

  /// The functions of this service that the app calls.
  var calls: LedgerService {
    LedgerService(
      load: { [self] in try await answer { $0 } },
      save: { [self] expenses in try await answer { $0 = expenses } },
      pay: { [self] _ in try await answer { _ in } })
  }

  private func answer<Answer: Sendable>(
    _ body: @Sendable (inout [Expense]) -> Answer
  ) async throws -> Answer {
    let answer = try state.withLock { state in
      if state.isBroken { throw Offline() }
      return body(&state.expenses)
    }
    try await Task.sleep(for: delay)
    return answer
  }

  static let sample = [
    Expense(id: 1, month: "2026-10", what: "Rent", amount: 800, currency: "EUR"),
    Expense(id: 2, month: "2026-10", what: "Books", amount: 40, currency: "USD"),
    Expense(id: 3, month: "2026-11", what: "Tea", amount: 1200, currency: "JPY"),
    Expense(id: 4, month: "2026-11", what: "Train", amount: 20, currency: "EUR"),
  ]
}

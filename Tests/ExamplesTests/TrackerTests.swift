import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import AsyncOptical
import Synchronization
import Testing

@testable import Tracker

private struct Refused: Error {}

/// A slow file whose first `failures` saves fail.
private final class Disk: Sendable {
  private let saved: Mutex<[Expense]>
  private let failures: Mutex<Int>

  init(_ expenses: [Expense] = [], failures: Int = 0) {
    saved = Mutex(expenses)
    self.failures = Mutex(failures)
  }

  var expenses: [Expense] { saved.withLock { $0 } }

  var service: LedgerService {
    LedgerService(
      load: { [self] in
        let expenses = expenses
        try await Task.sleep(for: .milliseconds(5))
        return expenses
      },
      save: { [self] expenses in
        try await Task.sleep(for: .milliseconds(5))
        let isRefused = failures.withLock { count in
          count -= 1
          return count >= 0
        }
        if isRefused { throw Refused() }
        saved.withLock { $0 = expenses }
      },
      pay: { id in
        try await Task.sleep(for: .milliseconds(5))
        if id == 13 { throw Refused() }
      })
  }
}

private func tea(_ id: Int, _ currency: String = "EUR") -> Expense {
  Expense(id: id, month: "2026-1\(id % 2)", what: "Tea", amount: Double(id), currency: currency)
}

@Suite("Tracker: the ledger")
struct TrackerLedgerTests {
  @Test(
    "Rows added from several tasks are saved, even though the service fails once")
  func saves() async {
    await explore(seeds: 300) {
      let disk = Disk(failures: 1)
      let ledger = Ledger(service: disk.service)
      await ledger.perform(.load)
      await withDiscardingTaskGroup { group in
        for id in 1...3 { group.addTask { ledger.send(.add(tea(id))) } }
      }
      for await state in ledger.states where state.expenses.count == 3 && state.isSaved { break }
      let isSaved = disk.expenses == ledger.state.expenses
      #expect(isSaved)
    }
  }

  @Test("A load keeps everything that was added before it or during it")
  func loads() async {
    await explore(seeds: 300) {
      let disk = Disk([tea(9)])
      let ledger = Ledger(service: disk.service)
      ledger.send(.add(tea(1)))
      ledger.send(.load)
      ledger.send(.load)
      ledger.send(.add(tea(2)))
      await untilIdle()
      for await state in ledger.states where !state.isLoading && state.isSaved { break }
      let ids = ledger.state.expenses.map(\.id)
      #expect(ids.contains(1) && ids.contains(2), "\(ids)")
      #expect(disk.expenses.map(\.id) == ids)
    }
  }

  @Test(
    "An undo reverts the last edit, but neither a load nor a spinner")
  func undoes() async {
    await explore(seeds: 300) {
      let ledger = Ledger(service: Disk([tea(9)]).service)
      await ledger.perform(.load)
      await ledger.dispatch(.add(tea(1)))
      ledger.send(.load)
      await ledger.dispatch(.add(tea(2)))
      await ledger.dispatch(.undo)
      #expect(ledger.state.expenses.map(\.id).contains(9))
      #expect(!ledger.state.expenses.map(\.id).contains(2))
      await untilIdle()
      for await state in ledger.states where !state.isLoading { break }
      #expect(!ledger.state.isLoading)
    }
  }

  @Test("A payment is shown immediately and disappears if it is refused")
  func pays() async {
    await explore(seeds: 300) {
      let ledger = Ledger(service: Disk([tea(9)]).service)
      for id in [9, 13, 8] { ledger.send(.pay(id)) }
      for await state in ledger.states where state.paid.count == 3 { break }
      await ledger.perform(.pay(7))
      #expect(ledger.state.paid == [9, 8, 7])
      #expect(ledger.state.message == "not paid: Refused()")
    }
  }

  @Test("A save is tried three times, with growing pauses")
  func givesUp() async {
    await explore(seeds: 100) {
      let ledger = Ledger(service: Disk(failures: 3).service)
      await ledger.perform(.load)
      let clock = ContinuousClock()
      let began = clock.now
      ledger.send(.add(tea(1)))
      for await state in ledger.states where !state.message.isEmpty { break }
      #expect(ledger.state.message == "not saved: Refused()")
      #expect(clock.now - began >= .milliseconds(315))
      await ledger.perform(.save)
      #expect(ledger.state.isSaved && ledger.state.message.isEmpty)
    }
  }
}

extension TrackerLedgerTests {
  @Test("A load is tried three times, and its failure is shown")
  func failedLoad() async {
    await explore(seeds: 100) {
      let tries = Mutex(0)
      let ledger = Ledger(
        service: LedgerService(
          load: {
            tries.withLock { $0 += 1 }
            throw Refused()
          }, save: { _ in }, pay: { _ in }))
      await ledger.perform(.load)
      #expect(ledger.state == Ledger.State(message: "not loaded: Refused()"))
      #expect(tries.withLock { $0 } == 3)
    }
  }

  @Test("A load that takes longer than five seconds is tried again, and then fails")
  func slowLoad() async {
    await explore(seeds: 20) {
      let ledger = Ledger(
        service: LedgerService(
          load: {
            try await Task.sleep(for: .seconds(3_600))
            return []
          }, save: { _ in }, pay: { _ in }))
      await ledger.perform(.load)
      #expect(ledger.state == Ledger.State(message: "not loaded: no response within 5.0 seconds"))
    }
  }

  @Test(
    "An edit after a failed load is saved only when a load has succeeded, so it deletes no expense")
  func editWithoutLoad() async {
    await explore(seeds: 100) {
      let service = DemoService(delay: .zero)
      service.isBroken = true
      let ledger = Ledger(service: service.calls)
      await ledger.perform(.load)
      service.isBroken = false
      await ledger.perform(.add(tea(5)))
      await ledger.perform(.save)
      #expect(service.expenses == DemoService.sample)
      await ledger.perform(.load)
      try await Task.sleep(for: .seconds(1))
      #expect(service.expenses == DemoService.sample + [tea(5)])
    }
  }

  @Test(
    "An expense can be removed and an undone edit redone, but no edit from before a load can be undone"
  )
  func edits() async {
    await explore(seeds: 100) {
      let ledger = Ledger(service: Disk().service)
      for work in [Work<Ledger>.add(tea(1)), .add(tea(2)), .undo, .redo, .remove(1)] {
        await ledger.dispatch(work)
      }
      #expect(ledger.state.expenses == [tea(2)])
      try await Task.sleep(for: .seconds(1))
      await ledger.perform(.load)
      await ledger.dispatch(.undo)
      #expect(ledger.state.expenses == [tea(2)])
    }
  }
}

@Suite("Tracker: search and screen")
struct TrackerScreenTests {
  @Test(
    "Amounts are shown with two digits after the point",
    arguments: [(12.5, "12.50"), (0.049, "0.05"), (-12.5, "-12.50"), (-0.05, "-0.05")])
  func cents(amount: Double, shown: String) { #expect(amount.cents == shown) }

  @Test("The newest month comes first, with its sum in euros")
  func newestFirst() {
    let ledger = Ledger.State(expenses: [tea(2, "USD"), tea(1)], paid: [2])
    let shown = months(of: ledger, found: nil, rates: ["EUR": 1, "USD": 2])
    #expect(shown.map(\.content) == ["2026-11  1.00 EUR", "2026-10  4.00 EUR"])
    #expect(shown.flatMap(\.items).map(\.isPaid) == [false, true])
  }

  @Test("A failed search is shown")
  func failedSearch() async {
    await explore(seeds: 50) {
      let search = Search { _ in throw Refused() }
      search.send(.type("t"))
      try await Task.sleep(for: .seconds(1))
      #expect(search.state.message == "not searched: Refused()")
    }
  }

  @Test("An empty query is not sent, and shows all expenses")
  func emptyQuery() async {
    await explore(seeds: 20) {
      let asked = Mutex<[String]>([])
      let search = Search { query in
        asked.withLock { $0.append(query) }
        return [1]
      }
      for text in ["t", ""] {
        search.send(.type(text))
        try await Task.sleep(for: .seconds(1))
      }
      #expect(asked.withLock { $0 } == ["t"])
      #expect(search.state.found == nil)
    }
  }

  @Test("Closing the screen also ends a search that is running")
  func closedSearch() async {
    await explore(seeds: 20) {
      let isCancelled = Mutex(false)
      let search = Search { _ in
        do { try await Task.sleep(for: .seconds(60)) } catch { isCancelled.withLock { $0 = true } }
        return [1]
      }
      let screen = ListScreen(
        Ledger(service: Disk().service), search, Rates { [:] }, on: StrictSurface<Month>())
      await screen.open()
      search.send(.type("t"))
      try await Task.sleep(for: .seconds(1))
      await screen.close()
      await untilIdle()
      #expect(isCancelled.withLock { $0 })
    }
  }

  @Test("The shell adds an expense with a new id, and deletes one")
  func edits() async {
    await explore(seeds: 50) {
      let service = DemoService(delay: .zero)
      let shell = Shell(
        ledger: Ledger(service: service.calls), search: Search { _ in [] }, service: service)
      await shell.ledger.perform(.load)
      _ = shell.run("a 2026-11 Milk 2 EUR") { _ in }
      _ = shell.run("d 1") { _ in }
      try await Task.sleep(for: .seconds(1))
      #expect(service.expenses.map(\.id) == [2, 3, 4, 5])
    }
  }

  @Test("A query that is quickly replaced is not sent, and results always match the current query")
  func search() async {
    await explore(seeds: 300) {
      let asked = Mutex<[String]>([])
      let find: @Sendable (String) async throws -> Set<Int> = { query in
        asked.withLock { $0.append(query) }
        try await Task.sleep(for: .milliseconds(query.count == 1 ? 400 : 100))
        return [query.count]
      }
      let search = Search(find: find)
      search.send(.type("t"))
      try await Task.sleep(for: .milliseconds(400))
      for text in ["te", "tea"] { search.send(.type(text)) }
      for await state in search.states {
        #expect(state.found == nil || state.found == [state.query.count])
        if state.found == [3] { break }
      }
      #expect(asked.withLock { $0 } == ["t", "tea"])
    }
  }

  @Test("The screen shows the last states of the ledger, the search and the rates")
  func screen() async {
    await explore(seeds: 200) {
      let (ledger, search) = (Ledger(service: Disk().service), Search { _ in [2] })
      let rates = Rates { ["EUR": 1, "USD": 2] }
      let surface = StrictSurface<Month>()
      let screen = ListScreen(ledger, search, rates, on: surface)
      await screen.open()
      await rates.start(every: .milliseconds(10))
      await withDiscardingTaskGroup { group in
        for id in 1...4 { group.addTask { ledger.send(.add(tea(id, id == 2 ? "USD" : "EUR"))) } }
        group.addTask { search.send(.type("2")) }
      }
      for await (ledger, search) in states(of: ledger, search)
      where ledger.expenses.count == 4 && search.found == [2] { break }
      rates.knot.bag.cancel()
      await untilIdle()
      let expected = DiffableSnapshot(
        sections: months(of: ledger.state, found: search.state.found, rates: rates.state))
      #expect(await surface.rows?.matches(expected) == true)
      await screen.close()
      #expect(LifetimeProbe(ledger).registeredObservers == 0)
    }
  }

  @Test("A shell parses its lines and explains its commands")
  func shell() async {
    let service = DemoService(delay: .zero)
    let shell = Shell(
      ledger: Ledger(service: service.calls), search: Search { _ in [] }, service: service)
    await shell.ledger.perform(.load)
    var said: [String] = []
    #expect(shell.run("a 2026-11 Tea 3.5 EUR") { said.append($0) })
    #expect(shell.run("nonsense") { said.append($0) })
    #expect(shell.run("a 2026-11 Tea much EUR") { said.append($0) })
    #expect(said == [Shell.usage, Shell.usage])
    #expect(!shell.run("q") { said.append($0) })
    for await state in shell.ledger.states where state.isSaved && state.expenses.count == 5 {
      break
    }
    #expect(service.expenses.map(\.what) == ["Rent", "Books", "Tea", "Train", "Tea"])
  }
}

import ExploreTesting
import Foundation
import TestSupport
import Testing

/// X6: the page that shows a run in a browser.
@Suite struct PageTests {
  private static let scenario: @Sendable () async throws -> Void = {
    let account = Account()
    watch("balance", of: account) { $0.balance }
    let tasks = (0..<2).map { _ in Task(name: "buyer") { await account.withdraw(80) } }
    for task in tasks { await task.value }
    if await account.balance < 0 { throw Overdrawn() }
  }
  private struct Overdrawn: Error {}

  @Test("X6: the page of a run that passes has its steps, with the watched values after each")
  func passes() async throws {
    let exploration = Exploration()
    var seed: UInt64 = 0
    while await exploration.run(seed: seed, Self.scenario).failure != nil { seed += 1 }
    let page = await exploration.page(seed: seed, Self.scenario)
    #expect(page.contains("<title>seed \(seed) passes</title>"))
    #expect(page.contains("data-values=\"balance = 100\""))
    #expect(page.contains("data-values=\"balance = 20\""))
    #expect(page.components(separatedBy: "<li ").count > 5)
  }

  @Test("X6: a watched value is read even if its closure checks the isolation")
  func checked() async throws {
    let page = await Exploration().page(seed: 0) {
      let account = Account()
      watch("balance", of: account) { account in
        account.preconditionIsolated()
        return account.balance
      }
      watch("main", onMain: { MainActor.assumeIsolated { Self.value } })
      await account.withdraw(80)
      await MainActor.run { Self.value = 1 }
    }
    #expect(page.contains("data-values=\"balance = 20   main = 0\""))
    #expect(page.contains("data-values=\"balance = 20   main = 1\""))
  }
  @MainActor private static var value = 0

  @Test("X6: watching a value does not affect the program's isolation checks")
  func unchecked() async {
    await #expect(processExitsWith: .failure) {
      _ = await Exploration().page(seed: 0) {
        let account = Account()
        watch("balance", of: account) { $0.balance }
        account.preconditionIsolated()
      }
    }
    await #expect(processExitsWith: .failure) {
      _ = await Exploration().page(seed: 0) {
        watch("main", onMain: { 0 })
        MainActor.preconditionIsolated()
      }
    }
  }

  @Test("X6: the page of a run that fails names the error, and shows more steps than a report")
  func fails() async throws {
    let page = await Exploration().page(seed: 3) {
      for _ in 0..<300 { await Task.yield() }
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<30 { await Task.yield() } } }
      }
      throw Overdrawn()
    }
    #expect(page.contains("seed 3 threw Overdrawn() after"))
    #expect(page.components(separatedBy: "<li ").count > 60 && !page.contains(" earlier steps"))
  }

  #if os(Linux)
    @Test("X6, X19: a test that passes with a given seed prints the path of a page with one run")
    func named() throws {
      // The process removes its files when it is released.
      let process = try TestProcess()
      defer { withExtendedLifetime(process) {} }
      let session = try process.run("Passing", ["EXPLORE_SEED": "5"])
      #expect(session.hasPassed)
      #expect(session.text.contains("explore: run 5 passes; "), "\(session.text)")
      let words = session.text.split { $0.isWhitespace }
      let steps = try ["isExplored", "isExploredTwice"].map { name in
        let path = try #require(words.first { $0.hasSuffix("\(name)-5.html") })
        #expect(path.hasPrefix(process.path))
        return try String(contentsOfFile: String(path), encoding: .utf8).ranges(of: "<li ").count
      }
      #expect(steps[0] > 0 && steps[0] == steps[1])
    }
  #endif
}

@Suite(.enabled(if: TestProcess.isThis)) struct Passing {
  private static let scenario: @Sendable () async -> Void = {
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 { group.addTask { await Task.yield() } }
    }
  }

  @Test func isExplored() async { await explore(seeds: 10, Self.scenario) }

  @Test func isExploredTwice() async {
    var exploration = Exploration(seeds: 10)
    exploration.runsTwice = true
    await explore(exploration, Self.scenario)
  }
}

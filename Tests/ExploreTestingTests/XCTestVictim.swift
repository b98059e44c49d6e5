import AsyncDiff
import AsyncDiffTesting
import XCTest

/// XCTest tests that fail on purpose.
///
/// ``VerdictTests`` runs them in a separate process.
final class XCTestVictim: XCTestCase {
  private struct Overdrawn: Error {}

  private static let scenario: @Sendable () async -> Int = {
    let account = Account()
    let tasks = (0..<2).map { _ in Task { await account.withdraw(80) } }
    for task in tasks { await task.value }
    return await account.balance
  }

  func testThrows() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    await explore(seeds: 100) { if await Self.scenario() < 0 { throw Overdrawn() } }
  }

  func testAsserts() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    await explore(seeds: 1_000) {
      let balance = await Self.scenario()
      XCTAssertGreaterThanOrEqual(balance, 0, "overdrawn")
    }
  }

  func testAssertsBefore() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    _ = await Exploration(seeds: 1).firstFailure { XCTFail("in the first exploration") }
    await explore(seeds: 1, allowing: [.noChoice]) { await Task.yield() }
  }

  func testTraps() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    await explore(seeds: 1) { fatalError("a trap") }
  }

  private struct Page: SectionInflator {
    struct Item: Diffable, Identifiable, Equatable { let id: Int }
    let items: [Item]
    let diffIdentifier = "page"
    var content: String { diffIdentifier }
  }

  func testSurface() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    let page = DiffableSnapshot(sections: [Page(items: [])])
    // The first call has to be a reload.
    await StrictSurface().performBatchUpdates(BatchUpdates(from: page, to: page), animated: false)
  }

  func testStalls() async throws {
    try XCTSkipUnless(TestProcess.isThis)
    await explore(seeds: 1, patience: .zero, allowing: [.noChoice]) {
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
  }
}

/// Explores while no test is running; ``VerdictTests`` runs it in a separate process.
final class XCTestOutside: XCTestCase {
  private struct Failure: Error {}

  override class func setUp() {
    guard TestProcess.isThis, ProcessInfo.processInfo.environment["KIT_OUTSIDE"] != nil else {
      return
    }
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      await explore(seeds: 1) { throw Failure() }
      end.signal()
    }
    end.wait()
  }

  func testNothing() {}
}

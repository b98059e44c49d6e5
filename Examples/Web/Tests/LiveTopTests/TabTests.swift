import AsyncDiff
import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing
import WebServer

@testable import LiveTop
@testable import ProcessBoard

/// Tests tabs without a server.
///
/// The messages of a tab wait in its streams, and the tests confirm that revisions were drawn.
@Suite struct TabTests {
  private static func reading(_ snapshot: DiffableSnapshot<Part>) -> Int? {
    snapshot.sections.first?.content.machine?.reading
  }

  /// Waits until a revision other than `old` has been sent and not yet drawn, and returns it.
  private static func sent(
    by tab: Tab, after old: SnapshotRevision? = nil
  ) async throws -> SnapshotRevision {
    for await state in tab.browser.states {
      if let revision = state.outstanding, revision != old { return revision }
    }
    throw CancellationError()
  }

  /// Confirms each revision immediately, like a fast page.
  private static func draw(_ tab: Tab) async {
    for await state in tab.browser.states {
      if let revision = state.outstanding { tab.didDraw(revision) }
    }
  }

  @Test func tabGetsNothingUntilItHasDrawnAndThenTheNewestState() async {
    await explore(seeds: 300) {
      let sampler = Sampler(Simulation(seed: 1))
      try await sampler.takeReading()
      let tab = Tab(sampler: sampler, arrangements: Arrangements())
      let stream = tab.connect(since: nil)
      _ = try await Self.sent(by: tab)
      try await sampler.takeReading()
      await untilIdle()
      let held = Self.reading(tab.rows.snapshot)
      for _ in 0..<20 { try await sampler.takeReading() }
      await untilIdle()
      #expect(Self.reading(tab.rows.snapshot) == held)

      let drawing = Task { await Self.draw(tab) }
      for await snapshot in tab.rows.snapshots where Self.reading(snapshot) == 22 { break }
      await untilIdle()
      #expect(tab.browser.state.isReady)
      #expect(!stream.isIdle)
      drawing.cancel()
      tab.close()
    }
  }

  @Test func reconnectedTabGetsAPatchEvenIfItsConfirmationIsLate() async {
    await explore(seeds: 300) {
      let sampler = Sampler(Simulation(seed: 2))
      try await sampler.takeReading()
      let tab = Tab(sampler: sampler, arrangements: Arrangements())
      _ = tab.connect(since: nil)
      let first = try await Self.sent(by: tab)
      let word = Task { tab.didDraw(first) }
      _ = tab.connect(since: first)
      try await sampler.takeReading()
      let next = try await Self.sent(by: tab, after: first)
      #expect(next.epoch == first.epoch && next.number > first.number)
      var messages = tab.rows.patches(since: first, full: .whereNeeded).makeAsyncIterator()
      guard case .patch(let patch) = await messages.next() else {
        Issue.record("a tab that is one snapshot behind should get a patch, but did not")
        return
      }
      #expect(patch.from == first)
      await word.value
      tab.close()
    }
  }

  @Test func commandTakesEffectWithoutANewReading() async {
    await explore(seeds: 300) {
      let sampler = Sampler(Simulation(seed: 3))
      try await sampler.takeReading()
      let tab = Tab(sampler: sampler, arrangements: Arrangements())
      _ = tab.connect(since: nil)
      let drawing = Task { await Self.draw(tab) }
      tab.binder.send(.rank(.memory))
      for await snapshot in tab.rows.snapshots {
        if snapshot.sections.dropFirst().first?.content.view?.options.ranking == .memory { break }
      }
      drawing.cancel()
      tab.close()
    }
  }

  @Test func numberOfTabsIsLimited() {
    let sampler = Sampler(Simulation(seed: 4))
    let tabs = Tabs(limit: 2) { Tab(sampler: sampler, arrangements: Arrangements()) }
    let first = tabs.open("a")
    _ = first?.connect(since: nil)
    _ = tabs.open("b")?.connect(since: nil)
    #expect(tabs.open("c") == nil)
    #expect(tabs.open("a") === first)
    #expect(tabs.counts == (2, 2))
    tabs.close()
  }
}

@Suite struct BrowserStateTests {
  private let one = SnapshotRevision(epoch: 1, number: 1)
  private let two = SnapshotRevision(epoch: 1, number: 2)

  @Test func isReadyUntilARevisionIsSentAndAfterItIsDrawn() {
    var state = Browser.State()
    #expect(!state.isReady)
    state.connect(1)
    #expect(state.isReady)
    state.willSend(two, on: 1)
    #expect(!state.isReady)
    state.didDraw(one)
    #expect(!state.isReady)
    state.didDraw(two)
    #expect(state.isReady)
  }

  @Test func eventsOfOlderConnectionsChangeNothing() {
    var state = Browser.State()
    state.connect(2)
    state.connect(1)
    state.disconnect(1)
    state.willSend(one, on: 1)
    state.didDraw(one)
    #expect(state.isReady)
    state.disconnect(3)
    #expect(!state.isReady)
    state.connect(3)
    #expect(!state.isReady)
    state.connect(4)
    #expect(state.isReady)
  }
}

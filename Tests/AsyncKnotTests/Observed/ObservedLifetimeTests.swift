import AsyncKnot
import AsyncKnotTesting
import Observation
import TestSupport
import Testing

@MainActor @Suite struct ObservedLifetimeTests {
  #if os(macOS) || os(Linux)
    @Test(
      "S19: a path that is no longer tracked is not evaluated, so its index may be out of range")
    func noLongerTracked() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          let view = ProfileView()
          let profile = Observed(view)
          let invalidations = Invalidations()
          invalidations.track { _ = profile[\.rows[2]] }
          view.reduce { $0.rows[2] = 1 }
          precondition(invalidations.count == 1)
          view.reduce { $0.rows = [] }
        }
      }
    }
  #endif

  @Test(
    "S19: Observed keeps neither its source nor itself alive, and shows a released source's last state"
  )
  func keepsNothingAlive() async {
    var view: ProfileView? = ProfileView()
    weak let weakView = view
    var profile = view.map { Observed($0) }
    #expect(profile?.title == "-")
    view?.reduce { $0.title = "last" }
    view = nil
    #expect(weakView == nil)
    #expect(profile?.title == "last")

    var node: ProfileNode? = ProfileNode()
    weak let weakNode = node
    var other = node.map { Observed($0) }
    #expect(other?.title == "-")
    await node?.reduce { $0.title = "last" }
    node = nil
    #expect(weakNode == nil)
    await other?.reaches { $0.title == "last" }

    weak let weakProfile = profile
    weak let weakOther = other
    (profile, other) = (nil, nil)
    #expect(weakProfile == nil)
    await waitWhile(weakOther != nil)
  }

  private struct Book: KnotState {
    var title = "-"
    var tail: Farewell?
    static func defaultState() -> Self { Self() }
  }

  private final class Shelf: KnotableView {
    nonisolated let knot = Knot<Book>()
    func update(_ book: Book) {}
  }

  @Test("S19: the deinit of a replaced state may read the Observed")
  func replacedState() {
    let (shelf, titles) = (Shelf(), Log<String>())
    let book = Observed(shelf)
    #expect(book.title == "-")
    let tail = Farewell { MainActor.assumeIsolated { titles.append(book.title) } }
    shelf.sink(Book(title: "first", tail: consume tail))
    shelf.reduce { $0 = Book(title: "second") }
    #expect(titles.all == ["second"])
  }

  @Test("S19: an Observed that is released leaves its source without observers")
  func isReleased() async {
    let (view, node) = (ProfileView(), ProfileNode())
    var profiles = [Observed(view)]
    var others = [Observed(node)]
    #expect(profiles[0].title == "-" && others[0].title == "-")
    await waitWhile(node.knot.observerCount == 0)
    weak let profile = profiles[0]
    weak let other = others[0]
    (profiles, others) = ([], [])
    await waitWhile(profile != nil || other != nil)
    view.reduce { $0.title = "last" }
    await waitWhile(node.knot.observerCount > 0)
  }

  @Test(
    "S19: a path is stored once, even if it is read often, and is dropped when it is no longer tracked"
  )
  func keepsEachPathOnce() {
    let view = ProfileView()
    let (profile, invalidations) = (Observed(view), Invalidations())
    for _ in 0..<10 { invalidations.track { _ = (profile.title, profile[\.rows.count]) } }
    #expect(profile.pathCount == 2)
    view.reduce { $0.rows = Array(0..<10_000) }
    for row in 0..<10_000 {
      // The change to the previous row ended the tracking of that row's path.
      invalidations.track { _ = profile[\.rows[row]] }
      view.reduce { $0.rows[row] -= 1 }
    }
    #expect(profile.pathCount <= 200, "\(profile.pathCount)")
  }

  @Test("S19: Observed shows the last state if it is first read after its source is released")
  func firstReadAfterTheEnd() async {
    var view: ProfileView? = ProfileView()
    let profile = view.map { Observed($0) }
    view?.reduce { $0.title = "last" }
    view = nil
    #expect(profile?.title == "last")
    var node: ProfileNode? = ProfileNode()
    let other = node.map { Observed($0) }
    await node?.reduce { $0.title = "last" }
    node = nil
    #expect(other?.title == "last")
  }

  @Test("S19: Observed does not observe its source before the first read")
  func costsNothingUnread() {
    let view = ProfileView()
    let profile = Observed(view)
    #expect(view.knot.observerCount == 0)
    _ = profile.title
    #expect(view.knot.observerCount == 1)
  }

  @Test(
    "S19: 20,000 Observed instances that are tracked and dropped leave no observers at their sources"
  )
  func nothingIsLeft() async {
    let view = ProfileView()
    let node = ProfileNode()
    for _ in 0..<10_000 {
      for profile in [Observed(view), Observed(node)] {
        withObservationTracking({ _ = profile.title }, onChange: {})
      }
    }
    #expect(view.knot.observerCount == 0)
    // The tasks were cancelled, and each one ends when it next runs on the main actor.
    await waitWhile(node.knot.observerCount > 0)
    #expect(node.knot.bag.isEmpty)
    #expect(view.knot.bag.isEmpty)
  }

  @Test("S19: untracked paths are removed, even if their values never change")
  func pathsLeave() {
    let view = ProfileView()
    view.reduce { $0.rows = Array(repeating: 0, count: 10_000) }
    let profile = Observed(view)
    let all = Invalidations()
    all.track {
      _ = profile.count
      for row in 0..<10_000 { _ = profile[\.rows, at: row] }
    }
    #expect(profile.pathCount == 10_001)
    view.reduce { $0.count += 1 }
    #expect(all.count == 1)
    for _ in 0..<20 { view.reduce { $0.count += 1 } }
    #expect(profile.pathCount == 0)
    for row in 0..<10_000 { _ = profile[\.rows, at: row] }
    #expect(profile.pathCount < 100)
  }

  @Test("S19: no update is lost in any schedule of the writers and the main actor")
  func noLostUpdate() async {
    // Other tests may keep the main actor busy for longer than the default patience of one second.
    await explore(seeds: 300, patience: .seconds(60)) {
      let node = ProfileNode()
      let profile = await MainActor.run { Observed(node) }
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { for _ in 0..<3 { await node.reduce { $0.count += 1 } } }
        }
        group.addTask { await profile.reaches { $0.count == 9 } }
      }
      let count = await MainActor.run { profile.count }
      #expect(count == 9)
    }
  }
}

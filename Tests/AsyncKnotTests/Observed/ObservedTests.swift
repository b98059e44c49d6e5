import Observation

@MainActor @Suite struct ObservedTests {
  @Test("S19: Observed has the current state immediately")
  func currentStateAtOnce() async {
    let node = ProfileNode()
    await node.reduce { $0.title = "now" }
    let profile = Observed(node)
    #expect(profile.title == "now")
    await node.reduce { $0.title = "later" }
    let other = Observed(node)
    await node.reduce { $0.title = "at the first read" }
    #expect(other.title == "at the first read")
  }

  @Test(
    "S19: Observed shows a view's state when reduce returns, even if update writes another state"
  )
  func viewsAreFollowedWithinTheTurn() {
    let view = ProfileView()
    let profile = Observed(view)
    let titles = Invalidations()
    titles.track { _ = profile.title }
    view.reduce { $0.title = "one" }
    #expect(profile.title == "one")
    #expect(titles.count == 1)
    view.onUpdate = { [weak view] state in
      if state.count == 1 { view?.reduce { $0.count = 2 } }
    }
    let opaque = Invalidations()
    opaque.track { _ = profile.opaque.number }
    view.reduce { $0.count = 1 }
    #expect(profile.count == 2)
    #expect(opaque.count == 1)
  }

  @Test(
    "S19: a property has its old value while it is invalidated, and its new value afterward"
  )
  func invalidationComesBeforeTheChange() {
    let view = ProfileView()
    let profile = Observed(view)
    let seen = Shared("")
    withObservationTracking {
      _ = profile.title
    } onChange: {
      MainActor.assumeIsolated { seen.value = profile.title }
    }
    view.reduce { $0.title = "new" }
    #expect(seen.value == "-")
    #expect(profile.title == "new")
  }

  @Test("S19: a key path that is created for each read is tracked like any other")
  func equalPaths() {
    let view = ProfileView()
    let profile = Observed(view)
    let counts = (0..<200).map { _ in Invalidations() }
    for (read, count) in counts.enumerated() {
      let path: KeyPath<ProfileView.State, Int> = (\ProfileView.State.rows).appending(
        path: \.[read % 2])
      count.track { _ = profile[path] }
    }
    view.reduce { $0.rows[1] += 1 }
    #expect(counts.enumerated().allSatisfy { $1.count == $0 % 2 })
  }

  @Test("S19: a read at an index that is out of range returns nil")
  func indicesOutside() {
    let profile = Observed(constant: Profile(rows: [1]))
    #expect((-1...2).map { profile[\.rows, at: $0] } == [nil, 1, nil, nil])
  }

  @Test("S19: a read of a whole Equatable state is invalidated only if the state changes")
  func comparableState() {
    let rows = RowsView()
    let observed = Observed(rows)
    let whole = Invalidations()
    whole.track { _ = observed.state }
    rows.reduce { _ in }
    #expect(whole.count == 0)
    rows.reduce { $0.rows = [1] }
    #expect(whole.count == 1)
  }

  @Test("S19: Observations delivers the values of an actor's property in order, up to the last")
  func observations() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let node = ProfileNode()
    let profile = Observed(node)
    let writer = Task {
      for number in 1...100 { await node.reduce { $0.title = "\(number)" } }
    }
    var last = 0
    for await title in Observations({ profile.title }) where title != "-" {
      let number = Int(title) ?? 0
      #expect(number > last)
      last = number
      if number == 100 { break }
    }
    await writer.value
    #expect(last == 100)
  }

  @Test("S19: Observed also follows a source that shares another source's knot")
  func forwardedKnots() async {
    let view = ProfileView()
    let profile = Observed(Forwarded(view))
    #expect(profile.count == 0)
    view.reduce { $0.count = 5 }
    await profile.reaches { $0.count == 5 }
  }

  @Test("S19: the == of a property's value may read the Observed that compares the property")
  func comparisonThatReads() {
    let view = CuriousView()
    let profile = Observed(view)
    Curious.onCompare = { _ = profile[\.numbers, at: 3] }
    defer { Curious.onCompare = nil }
    let invalidations = Invalidations()
    invalidations.track { _ = profile.curious }
    view.reduce { $0.curious.number = 1 }
    #expect(invalidations.count == 1)
  }

  @Test("S19: a constant state can be shown and tracked")
  func constants() {
    let profile = Observed(constant: Profile(title: "Ann"))
    let invalidations = Invalidations()
    invalidations.track { _ = profile.title }
    #expect(profile.title == "Ann")
    #expect(profile.state.title == "Ann")
    #expect(invalidations.count == 0)
  }

  /// A value whose `==` also calls a closure.
  private struct Curious: Equatable {
    @MainActor static var onCompare: (() -> Void)?
    var number = 0

    static func == (one: Self, other: Self) -> Bool {
      MainActor.assumeIsolated { onCompare?() }
      return one.number == other.number
    }
  }

  private final class CuriousView: KnotableView {
    struct State: KnotState {
      var curious = Curious()
      var numbers = [1, 2, 3, 4]
      static func defaultState() -> State { State() }
    }
    nonisolated let knot = Knot<State>()
    func update(_ state: State) {}
  }

  private final class RowsView: KnotableView {
    struct State: KnotState, Equatable {
      var rows: [Int] = []
      static func defaultState() -> State { State() }
    }
    nonisolated let knot = Knot<State>()
    func update(_ state: State) {}
  }

  private final class Forwarded: StateSource {
    let view: ProfileView
    nonisolated let knot: Knot<Profile>
    init(_ view: ProfileView) { (self.view, knot) = (view, view.knot) }
  }
}

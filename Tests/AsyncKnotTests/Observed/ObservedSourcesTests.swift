import Observation

@MainActor @Suite struct ObservedSourcesTests {
  @Test("S19, S23: a derived source is computed at the first read, and observed afterward")
  func derived() async {
    let (node, computed) = (ProfileNode(), Log<Int>())
    let observed = Observed(
      Derived(from: Derived(from: node) { $0.count }) { count in
        computed.append(count)
        return count * 2
      })
    await node.reduce { $0.count = 1 }
    #expect(computed.all.isEmpty)
    #expect(observed.state == 2)
    let invalidations = Invalidations()
    invalidations.track { _ = observed.state }
    await node.reduce { $0.title = "other" }
    await node.reduce { $0.count = 3 }
    await observed.reaches { $0 == 6 }
    #expect(invalidations.count == 1)
    #expect(computed.all == [1, 3])
  }

  @Test("S19, S20: Observed follows several sources, and tracks each path separately")
  func several() async {
    let (node, view) = (ProfileNode(), ProfileView())
    let observed = Observed(states(of: node, view))
    let (titles, counts) = (Invalidations(), Invalidations())
    titles.track { _ = observed[\.0.title] }
    counts.track { _ = observed[\.1.count] }
    await node.reduce { $0.count = 5 }
    view.reduce { $0.title = "other" }
    await observed.reaches { $0.0.count == 5 && $0.1.title == "other" }
    #expect((titles.count, counts.count) == (0, 0))
    view.reduce { $0.count = 7 }
    await observed.reaches { $0.1.count == 7 }
    #expect((titles.count, counts.count) == (0, 1))
    #expect(observed.1.count == 7)
  }

  @Test("S19, S23: Observed shows the last state of a derived source that nothing else references")
  func lastOfDerived() async {
    var node: ProfileNode? = ProfileNode()
    weak let weakNode = node
    let observed = node.map { Observed(Derived(from: $0) { $0.title + "!" }) }
    #expect(observed?.state == "-!")
    await node?.reduce { $0.title = "last" }
    node = nil
    #expect(weakNode == nil)
    await observed?.reaches { $0 == "last!" }
  }

  @Test("S23: the first read of an observed derived source shows the newest state of its sources")
  @MainActor
  func derivedBefore() async {
    let session = Session()
    let next = Derived(from: session) { $0 + 1 }
    #expect(next.state == 8)
    await session.reduce { $0 = 9 }
    #expect(Observed(next).state == 10)
  }
}

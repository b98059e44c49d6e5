@Suite struct ApplyAnswerTests {
  @Test("D6: the outcome of a change counts the operations of all its stages")
  func operationsOfAllStages() async throws {
    let old = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3, 4])])
    let new = Days(sections: [Day("c", ids: [3, 1]), Day("a", ids: [2])])
    let (surface, source) = try await strictSource(showing: old)
    let stages = old.batches(to: new)
    #expect(stages.count == 3)
    let count = stages.reduce(0) { $0 + $1.count }
    #expect(try await source.apply(new) == .updated(count))
    #expect(await surface.rows?.matches(new) == true)
  }

  @Test(
    "A14: animatingDifferences of a snapshot that is submitted or piped reaches the surface",
    arguments: [true, false], [true, false])
  func submitted(_ isAnimated: Bool, _ isPiped: Bool) async throws {
    let (surface, source) = try await strictSource(showing: oneDay([1]))
    let (days, bag) = (EventChannel<Days>(), TaskBag())
    if isPiped {
      days.subscribe().pipe(to: source, in: bag, animatingDifferences: isAnimated)
      days.send(oneDay([2]))
    } else {
      source.submit(oneDay([2]), animatingDifferences: isAnimated)
    }
    while source.snapshot != oneDay([2]) { await Task.yield() }
    guard case .batch(_, let animated)? = await surface.calls.last else {
      Issue.record("the surface got no batch")
      return
    }
    #expect(animated == isAnimated)
  }

  @Test(
    "A14, D20: putBack(_:animated:) passes its animated argument to the surface",
    arguments: [true, false])
  func putBack(_ isAnimated: Bool) async throws {
    // The surface does not know that the user has moved a row, so the surface must not record issues.
    let surface = StrictSurface<Day>(recordsIssues: false)
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2]))
    let drag = try #require(source.reorder(from: at(0, 0), to: at(0, 1)))
    #expect(source.putBack(drag, animated: isAnimated))
    while source.snapshot != oneDay([1, 2]) { await Task.yield() }
    guard case .batch(_, let animated)? = await surface.calls.last else {
      Issue.record("the surface got no batch")
      return
    }
    #expect(animated == isAnimated)
  }
}

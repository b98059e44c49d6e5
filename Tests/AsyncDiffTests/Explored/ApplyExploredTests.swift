/// The contracts of `apply` over 12,500 orders: few snapshots, so that many orders take little time.
@Suite struct ApplyExploredTests {
  @Test("D8: two appliers at once are answered, shown in order, and the last one is shown")
  func order() async {
    await exploreContract {
      let surface = StrictSurface<Day> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      try await withThrowingDiscardingTaskGroup { group in
        for task in 1...2 {
          group.addTask {
            for turn in 1...2 { _ = try await source.apply(oneDay([task * 10 + turn])) }
          }
        }
      }
      let shown = source.snapshot.items(in: 0).first?.id ?? 0
      try hold(shown % 10 == 2, "\(shown) is shown at the end")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface lags")
      let violations = await surface.violations
      try hold(violations.isEmpty, "\(violations)")
    }
  }

  @Test("D8: of two appliers with one snapshot each, the later one is shown, in every order")
  func shortOrder() async {
    await exploreContract(every: .schedule) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      try await withThrowingDiscardingTaskGroup { group in
        for id in 1...2 { group.addTask { _ = try await source.apply(oneDay([id])) } }
      }
      try hold(source.snapshot.items(in: 0).count == 1, "\(source.snapshot)")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface lags")
      let violations = await surface.violations
      try hold(violations.isEmpty, "\(violations)")
    }
  }

  @Test("D9, X11: an apply that is cancelled at any suspension leaves a queue that goes on")
  func cancelledAnywhere() async {
    let moments = await exploreCancelling {
      let surface = StrictSurface<Day> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      await withDiscardingTaskGroup { group in
        for id in 1...2 { group.addTask { _ = try? await source.apply(oneDay([id])) } }
      }
      // A task of its own is not cancelled with the scenario.
      _ = try await Task { try await source.apply(oneDay([3])) }.value
      try hold(source.snapshot.items(in: 0).first?.id == 3, "the queue stands still")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface lags")
    }
    #expect(moments > 8)
  }

  @Test("D9: an apply that is cancelled somewhere is shown wholly or not at all")
  func cancellation() async {
    await exploreContract(every: .schedule) {
      let surface = StrictSurface<Day> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      _ = try await source.apply(oneDay([1]))
      let outcome = await withTaskGroup(of: ApplyOutcome?.self) { group in
        group.addTask { try? await source.apply(oneDay([2])) }
        await Task.yield()
        group.cancelAll()
        return await group.next() ?? nil
      }
      let shown = source.snapshot.items(in: 0).first?.id
      try hold(shown == (outcome == nil ? 1 : 2), "\(outcome as Any), but \(shown as Any)")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface lags")
      _ = try await source.apply(oneDay([3]))
      try hold(source.snapshot.items(in: 0).first?.id == 3, "the queue stands still")
    }
  }

  @Test(
    "D8, D15: of 64 callers, cancelled at any suspension, the last that was not cancelled is shown")
  func manyCallers() async {
    await exploreContract(seeds: 400) {
      let surface = StrictSurface<Day> { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      let calls = Calls()
      await withTaskGroup(of: Void.self) { group in
        for caller in 1...64 {
          group.addTask {
            await withTaskGroup(of: Void.self) { group in
              group.addTask {
                let call = calls.begin(caller)
                let outcome = try? await source.apply(oneDay([caller]))
                if outcome == nil { calls.cancelled(call) }
              }
              for _ in 0..<caller % 7 { await Task.yield() }
              if caller % 3 != 0 { group.cancelAll() }
            }
          }
        }
      }
      guard let expected = calls.last else { return }
      // Whatever waits is shown some time; were it not, this would stall.
      for await snapshot in source.snapshots where snapshot == oneDay([expected]) { break }
      try hold(await surface.violations.isEmpty, "a rule is broken")
    }
  }
}

/// Who called, in which order, and who was cancelled.
private final class Calls: Sendable {
  private let state = Mutex<[(caller: Int, isCancelled: Bool)]>([])

  func begin(_ caller: Int) -> Int {
    state.withLock { calls in
      calls.append((caller, false))
      return calls.count - 1
    }
  }

  func cancelled(_ call: Int) { state.withLock { $0[call].isCancelled = true } }

  /// The last caller that was not cancelled.
  var last: Int? { state.withLock { $0.last { !$0.isCancelled }?.caller } }
}

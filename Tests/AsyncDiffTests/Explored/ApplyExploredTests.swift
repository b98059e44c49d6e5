/// The contracts of `apply` over thousands of schedules, with few snapshots so that each schedule is short.
@Suite struct ApplyExploredTests {
  @Test(
    "D8: if two tasks apply two snapshots each, all calls return, and the second snapshot of one task is shown"
  )
  func order() async {
    await exploreContract {
      let (surface, source) = strictSource { _ in await Task.yield() }
      try await withThrowingDiscardingTaskGroup { group in
        for task in 1...2 {
          group.addTask {
            for turn in 1...2 { _ = try await source.apply(oneDay([task * 10 + turn])) }
          }
        }
      }
      let shown = source.snapshot.items(in: 0).first?.id ?? 0
      try hold(shown % 10 == 2, "\(shown) is shown at the end")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface is out of date")
      let violations = await surface.violations
      try hold(violations.isEmpty, "\(violations)")
    }
  }

  @Test(
    "D8: after two concurrent calls to apply, one of the two snapshots is shown in every schedule")
  func shortOrder() async {
    await exploreContract(every: .schedule) {
      let (surface, source) = strictSource()
      try await withThrowingDiscardingTaskGroup { group in
        for id in 1...2 { group.addTask { _ = try await source.apply(oneDay([id])) } }
      }
      try hold(source.snapshot.items(in: 0).count == 1, "\(source.snapshot)")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface is out of date")
      let violations = await surface.violations
      try hold(violations.isEmpty, "\(violations)")
    }
  }

  @Test("D9, X11: the queue continues after apply is cancelled at any suspension")
  func cancelledAnywhere() async {
    let moments = await exploreCancelling {
      let (surface, source) = strictSource { _ in await Task.yield() }
      await withDiscardingTaskGroup { group in
        for id in 1...2 { group.addTask { _ = try? await source.apply(oneDay([id])) } }
      }
      // A separate task is not cancelled with the scenario.
      _ = try await Task { try await source.apply(oneDay([3])) }.value
      try hold(source.snapshot.items(in: 0).first?.id == 3, "the queue is stuck")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface is out of date")
    }
    #expect(moments > 8)
  }

  @Test("D9: a snapshot whose apply is cancelled is shown completely or not at all")
  func cancellation() async {
    await exploreContract(every: .schedule) {
      let (surface, source) = strictSource { _ in await Task.yield() }
      _ = try await source.apply(oneDay([1]))
      let outcome = await withTaskGroup(of: ApplyOutcome?.self) { group in
        group.addTask { try? await source.apply(oneDay([2])) }
        await Task.yield()
        group.cancelAll()
        return await group.next() ?? nil
      }
      let shown = source.snapshot.items(in: 0).first?.id
      try hold(shown == (outcome == nil ? 1 : 2), "\(outcome as Any), but \(shown as Any)")
      try hold(await surface.rows?.matches(source.snapshot) == true, "the surface is out of date")
      _ = try await source.apply(oneDay([3]))
      try hold(source.snapshot.items(in: 0).first?.id == 3, "the queue is stuck")
    }
  }

  @Test(
    "A18, D8, D15: with 64 callers, the snapshot of the last uncancelled call is shown")
  func manyCallers() async {
    await exploreContract(seeds: 400) {
      let (surface, source) = strictSource { _ in await Task.yield() }
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
      // Each waiting snapshot is eventually shown or superseded; otherwise this loop stalls.
      for await snapshot in source.snapshots where snapshot == oneDay([expected]) { break }
      try hold(await surface.violations.isEmpty, "a batch broke a rule")
    }
  }
}

/// Records the order of the calls, and which ones were cancelled.
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

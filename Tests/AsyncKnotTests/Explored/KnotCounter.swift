/// The state of every counter.
struct Count: KnotState, Equatable {
  var value = 0
  static func defaultState() -> Count { Count() }
}

/// A holder that explorations and storms test with the same scenarios.
actor KnotCounter: Knotable {
  typealias State = Count
  let knot = Knot<Count>()

  func update(_ state: Count) {}
  func add(_ amount: Int) { reduce { $0.value += amount } }
  nonisolated var current: Int { state.value }
  nonisolated var observers: Int { knot.observerCount }
}

/// The concurrency contracts of a state holder, as scenarios.
///
/// A lost wake-up stalls the scenario, and the exploration itself reports the stall.
extension KnotCounter {
  /// S1: concurrent reductions do not lose updates.
  static func losesNoUpdate() async throws {
    let subject = KnotCounter()
    await withDiscardingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { for _ in 0..<2 { await subject.add(1) } }
      }
    }
    try hold(subject.current == 6, "6 additions gave \(subject.current)")
  }

  /// S2, S3, S5, S6: observers of one sequence each see states in order, up to the newest.
  static func showsEveryObserverTheLastState() async throws {
    let subject = KnotCounter()
    let counts = subject.states
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          var last = -1
          for await count in counts {
            try hold(count.value > last, "\(count.value) came after \(last)")
            last = count.value
            if last == 4 { return }
          }
          throw Violation(description: "the sequence ended at \(last)")
        }
      }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<2 { await subject.add(1) } }
      }
    }
    try hold(subject.observers == 0, "\(subject.observers) observers stayed registered")
  }

  /// S8: a cancelled observer ends promptly and leaves nothing registered.
  static func forgetsCancelledObservers() async throws {
    let subject = KnotCounter()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for await _ in subject.states {} }
      }
      // Only the writer ends without a cancellation.
      group.addTask { for _ in 0..<2 { await subject.add(1) } }
      await group.next()
      group.cancelAll()
    }
    try hold(subject.observers == 0, "\(subject.observers) observers stayed registered")
    await subject.add(1)
    try hold(subject.current == 3, "3 additions gave \(subject.current)")
  }

  /// S8: when the holder is released, observers get the last state, then the end.
  static func endsWithTheLastState() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      let subject = KnotCounter()
      for _ in 0..<2 {
        group.addTask { [counts = subject.states] in
          var last = -1
          for await count in counts { last = count.value }
          try hold(last == 4, "the last state was 4, but the observer last saw \(last)")
        }
      }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<2 { await subject.add(1) } }
      }
    }
  }
}

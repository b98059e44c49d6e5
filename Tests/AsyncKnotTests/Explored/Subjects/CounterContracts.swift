/// The concurrency contracts of a state holder, as scenarios that any holder can be put to.
///
/// A lost wake-up shows as a stall: the exploration reports that itself.
extension CounterSubject {
  /// S1: concurrent reductions lose no update.
  static func losesNoUpdate(_ make: @Sendable () -> Self) async throws {
    let subject = make()
    await withDiscardingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { for _ in 0..<2 { await subject.add(1) } }
      }
    }
    try hold(subject.current == 6, "6 additions gave \(subject.current)")
  }

  /// S2, S3, S5, S6: observers of one sequence each see states in order, and at last the newest.
  static func showsEveryObserverTheLastState(_ make: @Sendable () -> Self) async throws {
    let subject = make()
    let counts = subject.counts
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
  static func forgetsCancelledObservers(_ make: @Sendable () -> Self) async throws {
    let subject = make()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for await _ in subject.counts {} }
      }
      // Only the writer ends by itself.
      group.addTask { for _ in 0..<2 { await subject.add(1) } }
      await group.next()
      group.cancelAll()
    }
    try hold(subject.observers == 0, "\(subject.observers) observers stayed registered")
    await subject.add(1)
    try hold(subject.current == 3, "3 additions gave \(subject.current)")
  }

  /// S8: when the holder goes, observers get the last state, then the end.
  static func endsWithTheLastState(_ make: @Sendable () -> Self) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      let subject = make()
      for _ in 0..<2 {
        group.addTask { [counts = subject.counts] in
          var last = -1
          for await count in counts { last = count.value }
          try hold(last == 4, "the last state was 4, the last one seen \(last)")
        }
      }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<2 { await subject.add(1) } }
      }
    }
  }
}

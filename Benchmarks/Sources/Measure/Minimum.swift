/// Returns the shortest time of several runs, each of which repeats the work `repetitions` times.
///
/// The shortest run is least disturbed by other work on the machine.
///
/// - Returns: The time of one repetition in the shortest run.
public func minimum(
  of runs: Int = 9, repetitions: Int = 1, _ work: () throws -> Void
) rethrows -> Duration {
  var best = Duration.seconds(1_000_000)
  for _ in 0..<runs {
    let time = try ContinuousClock().measure {
      for _ in 0..<repetitions { try work() }
    }
    best = min(best, time)
  }
  return best / repetitions
}

/// Returns the shortest time of several runs of work that suspends.
///
/// - Returns: The time of one repetition in the shortest run.
nonisolated(nonsending)
  public func minimum(
    of runs: Int = 9, repetitions: Int = 1, _ work: () async throws -> Void
  ) async rethrows -> Duration
{
  var best = Duration.seconds(1_000_000)
  for _ in 0..<runs {
    let start = ContinuousClock.now
    for _ in 0..<repetitions { try await work() }
    best = min(best, ContinuousClock.now - start)
  }
  return best / repetitions
}

/// Runs the contenders alternately, so that all have the same conditions, and returns the shortest time of each.
///
/// - Returns: For each contender, the time of one repetition in its shortest run.
public func minima(
  of runs: Int = 9, repetitions: Int = 1, _ contenders: [() -> Void]
) -> [Duration] {
  var best = contenders.map { _ in Duration.seconds(1_000_000) }
  for _ in 0..<runs {
    for (index, contender) in contenders.enumerated() {
      best[index] = min(best[index], minimum(of: 1, repetitions: repetitions, contender))
    }
  }
  return best
}

/// Uses a value, so that the optimizer does not remove the computation of the value.
@inline(never)
public func consume<Value>(_ value: Value) {}

extension Duration {
  /// The time in nanoseconds.
  public var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
  }

  /// The time in milliseconds.
  public var milliseconds: Double { nanoseconds * 1e-6 }
}

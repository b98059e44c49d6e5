import AsyncKnot
import Measure

/// Compares a derived source of two sources with a holder that the two sources are piped into.
enum DerivedStates {
  actor Counter: StateActor {
    let knot = Knot(0)
  }

  static func measure() async {
    let report = Report([
      "the sum of two counters", "Derived, ns", "piped, ns", "ratio to piped",
    ])
    for (name, step) in [("an observer has the new sum", 1), ("an equal sum is computed", 0)] {
      let derived = await write(step, isPiped: false)
      let piped = await write(step, isPiped: true)
      report.row(
        "from a write until \(name)", figure(derived.nanoseconds),
        figure(piped.nanoseconds), figure(derived.nanoseconds / piped.nanoseconds) + "×")
    }
    await unobserved(report)
    await reads()
  }

  /// The time from a write until an observer has the new sum or, if `step` is 0, until an equal sum has been computed.
  private static func write(_ step: Int, isPiped: Bool) async -> Duration {
    let (left, right, total) = (Counter(), Counter(), Counter())
    let (computed, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
    let bag = TaskBag()
    let sum: @Sendable (Int, Int) -> Int = { left, right in
      if step == 0 { signal.yield() }
      return step == 0 ? right : left + right
    }
    let derived = Derived(from: left, right, by: sum)
    if isPiped {
      states(of: left, right).pipe(to: total, in: bag) { $1 = sum($0.0, $0.1) }
    }
    let sums = isPiped ? total.states : derived.states
    var (observer, signals) = (sums.makeAsyncIterator(), computed.makeAsyncIterator())
    _ = await observer.next(isolation: nil)
    let waiting = step == 0 ? sums.live(in: bag) { _ in } : nil
    for _ in 0..<100 { await Task.yield() }
    if step == 0 { consume(await signals.next()) }
    return await minimum(of: 99, repetitions: 100) {
      await left.reduce { $0 += 1 }
      if step == 0 { consume(await signals.next()) } else { consume(await observer.next()) }
      consume(waiting)
    }
  }

  private static func unobserved(_ report: Report) async {
    var times: [Duration] = []
    for isPiped in [false, true] {
      let (left, right, total, bag) = (Counter(), Counter(), Counter(), TaskBag())
      let derived = Derived(from: left, right) { $0 + $1 }
      consume(derived.state)
      if isPiped { states(of: left, right).pipe(to: total, in: bag) { $1 = $0.0 + $0.1 } }
      times.append(
        await minimum(of: 99, repetitions: 1_000) { await left.reduce { $0 += 1 } })
      consume(derived.state)
    }
    report.row(
      "a write that nobody observes", figure(times[0].nanoseconds), figure(times[1].nanoseconds),
      figure(times[0].nanoseconds / times[1].nanoseconds) + "×")
  }

  private static func reads() async {
    let (left, right) = (Counter(), Counter())
    let report = Report(["a read", "ns"])
    let derived = Derived(from: left, right) { $0 + $1 }
    report.row(
      "of a derived state that is up to date",
      figure(minimum(of: 99, repetitions: 1_000) { consume(derived.state) }.nanoseconds))
    report.row(
      "of a holder's state",
      figure(minimum(of: 99, repetitions: 1_000) { consume(left.state) }.nanoseconds))
    let after = await minimum(of: 99, repetitions: 1_000) {
      await left.reduce { $0 += 1 }
      consume(derived.state)
    }
    report.row("of a derived state after a write, including the write", figure(after.nanoseconds))
  }
}

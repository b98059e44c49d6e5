import AsyncKnot
import Measure
import Observation

/// Measures a write while properties are tracked, compared with an `@Observable` class that is updated by hand.
@main
@MainActor
struct ObservedBenchmarks {
  static func main() async {
    Report.header("Observed")
    print(
      "\n\"By hand\" is an `@Observable` class that a holder keeps up to date.")
    let writes = Report(["a write", "tracked", "Observed, ns", "by hand, ns", "ratio to by hand"])
    for count in [0, 1, 100] { numbers(count, in: writes) }
    for count in [1, 100, 10_000] { rows(count, in: writes) }
    reads()
    await observations()
    await DerivedStates.measure()
  }

  /// Measures writes to an untracked property, and to a tracked property, which is then tracked again.
  private static func numbers(_ count: Int, in report: Report) {
    let (view, byHand) = (NumbersView(), NumbersByHand())
    let profile = Observed(view)
    _ = profile.other
    let paths = Array(Paths.ours.prefix(count))
    let pathsByHand = Paths.byHand
    for path in paths { withObservationTracking({ _ = profile[path] }, onChange: {}) }
    for index in 0..<count {
      let group = byHand.model.groups[index / 10]
      withObservationTracking({ _ = group[keyPath: pathsByHand[index % 10]] }, onChange: {})
    }
    add(
      "to an untracked property", count, 500, in: report,
      { view.reduce { $0.other += 1 } }, { byHand.reduce { $0.other += 1 } })
    guard count > 0 else { return }
    add(
      "to a tracked property, which is then tracked again", count, 500, in: report,
      {
        view.reduce { $0.a.a += 1 }
        withObservationTracking({ _ = profile[\.a.a] }, onChange: {})
      },
      {
        byHand.reduce { $0.a.a += 1 }
        withObservationTracking({ _ = byHand.model.groups[0].a }, onChange: {})
      })
  }

  /// Measures writes to a tracked row of an array, which is then tracked again.
  private static func rows(_ count: Int, in report: Report) {
    let (view, byHand) = (RowsView(count: count), RowsByHand(count: count))
    let profile = Observed(view)
    for row in 0..<count {
      withObservationTracking({ _ = profile[\.rows, at: row] }, onChange: {})
      withObservationTracking({ _ = byHand.models[row].value }, onChange: {})
    }
    add(
      "to a tracked row, which is then tracked again", count, count > 1_000 ? 5 : 200, in: report,
      {
        view.reduce { $0.rows[0] += 1 }
        withObservationTracking({ _ = profile[\.rows, at: 0] }, onChange: {})
      },
      {
        byHand.reduce { $0.rows[0] += 1 }
        withObservationTracking({ _ = byHand.models[0].value }, onChange: {})
      })
  }

  /// Measures reads.
  ///
  /// SwiftUI reads each property that a view's body uses.
  private static func reads() {
    let (view, byHand) = (NumbersView(), NumbersByHand())
    let profile = Observed(view)
    let report = Report(["a read", "Observed, ns", "by hand, ns"])
    var times = minima(
      of: 199, repetitions: 500, [{ consume(profile.other) }, { consume(byHand.model.other) }])
    report.row("untracked", figure(times[0].nanoseconds), figure(times[1].nanoseconds))
    times = minima(
      of: 199, repetitions: 10,
      [
        { withObservationTracking({ for _ in 0..<100 { consume(profile.other) } }, onChange: {}) },
        {
          withObservationTracking(
            { for _ in 0..<100 { consume(byHand.model.other) } }, onChange: {})
        },
      ])
    report.row(
      "one of 100 tracked reads", figure(times[0].nanoseconds / 100),
      figure(times[1].nanoseconds / 100))
  }

  /// Measures the time from a write until `Observations` or `states` has delivered the new value.
  private static func observations() async {
    guard #available(macOS 26, *) else { return }
    let (view, byHand) = (NumbersView(), NumbersByHand())
    let profile = Observed(view)
    let report = Report([
      "from a write until an observer on the main actor has the new value", "ns",
    ])
    var ours = Observations({ profile.other }).makeAsyncIterator()
    _ = await ours.next(isolation: MainActor.shared)
    let time = await minimum(of: 99, repetitions: 100) {
      view.reduce { $0.other += 1 }
      consume(await ours.next(isolation: MainActor.shared))
    }
    report.row("Observations of an Observed", figure(time.nanoseconds))
    var theirs = Observations({ byHand.model.other }).makeAsyncIterator()
    _ = await theirs.next(isolation: MainActor.shared)
    let other = await minimum(of: 99, repetitions: 100) {
      byHand.reduce { $0.other += 1 }
      consume(await theirs.next(isolation: MainActor.shared))
    }
    report.row("Observations of the class that is updated by hand", figure(other.nanoseconds))
    var states = view.states.makeAsyncIterator()
    _ = await states.next(isolation: MainActor.shared)
    let plain = await minimum(of: 99, repetitions: 100) {
      view.reduce { $0.other += 1 }
      consume(await states.next(isolation: MainActor.shared))
    }
    report.row("states of the holder, in the writing task", figure(plain.nanoseconds))
    let woken = await Burst.untilLast(by: 1_000) { await Burst.states(of: view, upTo: $0) }
    report.row(
      "1,000 writes in bursts of ten until a loop has the last value, per write: states",
      figure(woken.nanoseconds))
    let observed = await Burst.untilLast(by: 1_000) {
      await Burst.observations(of: byHand, upTo: $0)
    }
    report.row(
      "the same: Observations of the class that is updated by hand", figure(observed.nanoseconds))
  }

  private static func add(
    _ name: String, _ count: Int, _ repetitions: Int, in report: Report,
    _ ours: @escaping () -> Void, _ byHand: @escaping () -> Void
  ) {
    let times = minima(of: 199, repetitions: repetitions, [ours, byHand])
    report.row(
      name, "\(count)", figure(times[0].nanoseconds), figure(times[1].nanoseconds),
      figure(times[0].nanoseconds / times[1].nanoseconds) + "×")
  }
}

import AsyncKnot
import Measure
import Observation

/// What a write costs where SwiftUI would track, beside an `@Observable` class written by hand.
@main
@MainActor
struct ObservedBenchmarks {
  static func main() async {
    Report.header("Observed")
    let report = Report([
      "a write that changes one of N tracked values", "Observed, ns",
      "@Observable by hand, ns (ours to it)", "Observations of ours, ns",
    ])
    for count in [0, 1, 100, 10_000] { await row(count, in: report) }
    fields()
    reads()
  }

  /// N rows of which each has a tracking of its own; a write changes one, whose tracking is renewed.
  private static func row(_ count: Int, in report: Report) async {
    let ours = RowsView(count: max(1, count))
    let profile = Observed(ours)
    let byHand = RowModels(count: max(1, count))
    for row in 0..<count {
      ours.track(profile, row)
      byHand.track(row)
    }
    if count == 0 { _ = profile.state }
    let isTracked = count > 0
    let times = minima(
      of: 15, repetitions: count > 1_000 ? 200 : 20_000,
      [
        { ours.write(isTracked ? profile : nil) }, { byHand.write(isTracked: isTracked) },
      ])
    let ratio = times[0].nanoseconds / times[1].nanoseconds
    let sequence = isTracked ? figure(await observations(count)) : "-"
    report.row(
      figure(Double(count)), figure(times[0].nanoseconds),
      "\(figure(times[1].nanoseconds)) (\(figure(ratio))×)", sequence)
  }

  /// A write until `Observations` of the value has given it, with N tracked values.
  private static func observations(_ count: Int) async -> Double {
    guard #available(macOS 26, *) else { return .nan }
    let view = RowsView(count: count)
    let profile = Observed(view)
    for row in 1..<max(1, count) { view.track(profile, row) }
    let values = Observations { profile[\.rows, at: 0] ?? 0 }
    var iterator = values.makeAsyncIterator()
    _ = await iterator.next(isolation: MainActor.shared)
    let time = await minimum(of: 5, repetitions: count > 1_000 ? 100 : 2_000) {
      view.reduce { $0.rows[0] += 1 }
      consume(await iterator.next(isolation: MainActor.shared))
    }
    return time.nanoseconds
  }

  /// The same with properties of a struct, beside a class with these properties.
  private static func fields() {
    let report = Report([
      "a write that changes one of 8 properties", "Observed, ns",
      "@Observable by hand, ns (ours to it)",
    ])
    let view = FieldsView()
    let profile = Observed(view)
    let byHand = FieldsModel()
    for tracked in [1, 8] {
      let times = minima(
        of: 15, repetitions: 20_000,
        [
          {
            withObservationTracking({ profile.read(tracked) }, onChange: {})
            view.reduce { $0.a += 1 }
          },
          {
            withObservationTracking({ byHand.read(tracked) }, onChange: {})
            byHand.write()
          },
        ])
      let ratio = times[0].nanoseconds / times[1].nanoseconds
      report.row(
        "\(tracked) tracked, with tracking it again", figure(times[0].nanoseconds),
        "\(figure(times[1].nanoseconds)) (\(figure(ratio))×)")
    }
  }

  /// A read, which SwiftUI makes for each property that a body uses.
  private static func reads() {
    let report = Report(["a read", "Observed, ns", "@Observable by hand, ns"])
    let view = FieldsView()
    let profile = Observed(view)
    let byHand = FieldsModel()
    var times = minima(
      of: 15, repetitions: 20_000, [{ consume(profile.a) }, { consume(byHand.a) }])
    report.row("untracked", figure(times[0].nanoseconds), figure(times[1].nanoseconds))
    times = minima(
      of: 15, repetitions: 200,
      [
        { withObservationTracking({ for _ in 0..<100 { consume(profile.a) } }, onChange: {}) },
        { withObservationTracking({ for _ in 0..<100 { consume(byHand.a) } }, onChange: {}) },
      ])
    report.row(
      "one of 100 in a tracking", figure(times[0].nanoseconds / 100),
      figure(times[1].nanoseconds / 100))
  }
}

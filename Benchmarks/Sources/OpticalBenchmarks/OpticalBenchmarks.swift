import AsyncKnot
import AsyncOptical
import Measure

@main
struct OpticalBenchmarks {
  static func main() async throws {
    Report.header("Requests and commands")
    let report = Report(["workload", "ns", "actor + AsyncStream", "bare actor, await"])
    await commands(report)
    await roundTrips(report)
    if CommandLine.arguments.dropFirst().allSatisfy("pending".contains) {
      Report.header("A commit of one row, ns, while changes are pending")
      await pending(Report(["rows in", "nothing pending", "a spinner", "1 change", "100 changes"]))
      Report.header("Changes that are shown immediately and answered in order")
      await settled(Report(["changes", "ns each, from the first send to the last answer"]))
    }
    if CommandLine.arguments.dropFirst().allSatisfy("outbox".contains) {
      Report.header("An outbox whose storage is in memory")
      try await outboxes(Report(["work", "time"]))
    }
    if CommandLine.arguments.dropFirst().allSatisfy("timeouts".contains) {
      Report.header("A debounced request with a duration of zero")
      await timeouts(Report(["in flight", "ns each, from calling perform to its return"]))
    }
  }

  /// Sends commands without waiting, and measures the time until the last one is handled.
  static func commands(_ report: Report) async {
    let total = 1_000_000
    let stream = await minimum(of: 5) {
      let counter = StreamCounter()
      async let handled: Void = counter.run(until: total)
      for _ in 0..<total { counter.send(1) }
      await handled
    }
    let bare = await minimum(of: 5) {
      let counter = BareCounter()
      for _ in 0..<total { await counter.add(1) }
    }
    await row("1,000,000 commands through a binder", report, total, stream, bare) {
      let finish = Finish(at: total)
      let binder = CountingBinder(finish)
      for _ in 0..<total { binder.send(1) }
      await finish.wait()
    }
    await row("1,000,000 requests through an opticle", report, total, stream, bare) {
      let finish = Finish(at: total)
      let opticle = CountingOpticle(finish)
      for _ in 0..<total { opticle.send(1) }
      await finish.wait()
    }
    await row("the same with the policy .latest", report, total, stream, bare) {
      let finish = Finish(at: total)
      let opticle = LatestOpticle(finish)
      for _ in 0..<total { opticle.send(1) }
      await finish.wait()
    }
    await row("the same with a listener of transitions", report, total, stream, bare) {
      let finish = Finish(at: total)
      let opticle = CountingOpticle(finish)
      let transitions = opticle.transitions
      for _ in 0..<total { opticle.send(1) }
      await finish.wait()
      consume(transitions)
    }
    await row("the same with a handler of trace", report, total, stream, bare) {
      let finish = Finish(at: total)
      let (opticle, bag) = (CountingOpticle(finish), TaskBag())
      opticle.trace(in: bag) { consume($0) }
      for _ in 0..<total { opticle.send(1) }
      await finish.wait()
    }
  }

  /// Sends one request at a time and waits for the resulting state.
  static func roundTrips(_ report: Report) async {
    let total = 50_000
    let stream = await minimum(of: 5) {
      let counter = StreamCounter()
      async let handled: Void = counter.run(until: total)
      var states = await counter.observe().makeAsyncIterator()
      for _ in 0..<total {
        counter.send(1)
        consume(await states.next())
      }
      await handled
    }
    let bare = await minimum(of: 5) {
      let counter = BareCounter()
      for _ in 0..<total {
        await counter.add(1)
        consume(await counter.count)
      }
    }
    await row("from send through mutate to an observer, one at a time", report, total, stream, bare)
    {
      let finish = Finish(at: total)
      let opticle = CountingOpticle(finish)
      var states = opticle.states.makeAsyncIterator()
      consume(await states.next())
      for _ in 0..<total {
        opticle.send(1)
        consume(await states.next())
      }
    }
  }

  static func row(
    _ name: String, _ report: Report, _ operations: Int, _ stream: Duration, _ bare: Duration,
    _ work: () async -> Void
  ) async {
    // The arguments select the rows whose names contain one of them.
    let wanted = CommandLine.arguments.dropFirst()
    guard wanted.isEmpty || wanted.contains(where: name.contains) else { return }
    let ours = await minimum(of: 5, work)
    func cell(_ time: Duration) -> String {
      "\(figure(time.nanoseconds / Double(operations))) (\(ratio(time, to: ours)))"
    }
    report.row(
      name, figure(ours.nanoseconds / Double(operations)), cell(stream), cell(bare))
  }
}

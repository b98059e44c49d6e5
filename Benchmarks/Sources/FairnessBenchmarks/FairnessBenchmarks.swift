import AsyncKnot
import AsyncOptical
import Measure
import Synchronization

/// Measures how long another caller waits for an actor that one of the package's loops keeps busy.
@main
struct FairnessBenchmarks {
  static let events = 1_000_000

  static func main() async {
    Report.header("Fairness")
    await actors()
    await mainActor()
    await Priorities.measure()
  }

  /// Measures loads on an actor that another caller pings.
  private static func actors() async {
    let report = Report([
      "load on an actor", "AsyncKnot: worst, median ms", "AsyncStream: worst, median ms",
    ])
    let stream = await drain()
    let ready = Node()
    report.row(
      "pipe over 1,000,000 ready events",
      text(
        await Waits.during(
          { await Ready(count: events).pipe(to: ready) { $1.value = $0 } },
          call: { _ = await ready.ping() })), stream)

    let (channel, backlog) = (EventChannel<Int>(), Node())
    let subscription = channel.subscribe()
    for event in 0..<events { channel.send(event) }
    channel.finish()
    report.row(
      "pipe over a backlog of 1,000,000 events",
      text(
        await Waits.during(
          { await subscription.pipe(to: backlog) { $1.value = $0 } },
          call: { _ = await backlog.ping() })), stream)

    let counter = Counter()
    report.row(
      "two tasks that send commands without a pause for 2 s",
      text(
        await Waits.during(
          { await senders(of: counter) }, call: { _ = await counter.ping() })), "–")
  }

  private static func drain() async -> String {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for event in 0..<events { continuation.yield(event) }
    continuation.finish()
    let drain = Drain()
    return text(
      await Waits.during({ await drain.drain(stream) }, call: { _ = await drain.ping() }))
  }

  private static func senders(of counter: Counter) async {
    let end = ContinuousClock.now.advanced(by: .seconds(2))
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          while ContinuousClock.now < end {
            for _ in 0..<500 { counter.send(.increment) }
            await Task.yield()
          }
        }
      }
    }
  }

  /// Measures loads on the main actor, which another caller also uses.
  private static func mainActor() async {
    let report = Report([
      "load on the main actor", "AsyncKnot", "AsyncStream",
    ])
    report.row(
      "for await with a body of 1 ms and a faster writer: other calls that ran in 3 s",
      figure(Double(await observing().sorted.count)),
      figure(Double(await observingStream().sorted.count)))
    report.row(
      "a backlog of 200,000 events into a view, 5 µs per draw: longest wait, ms",
      figure(await backlogIntoView().worst.milliseconds),
      figure(await backlogOfStream().worst.milliseconds))
  }

  private static func observing() async -> Waits {
    let node = Node()
    let end = ContinuousClock.now.advanced(by: .seconds(3))
    return await Waits.during(
      {
        async let writer: Void = {
          while ContinuousClock.now < end {
            await node.reduce { $0.value += 1 }
            try? await Task.sleep(for: .microseconds(50))
          }
        }()
        let observer = Task { @MainActor in
          for await _ in node.states { draw(for: .milliseconds(1)) }
        }
        await writer
        observer.cancel()
        await observer.value
      }, call: { await MainActor.run {} })
  }

  private static func observingStream() async -> Waits {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let end = ContinuousClock.now.advanced(by: .seconds(3))
    return await Waits.during(
      {
        let observer = Task { @MainActor in
          for await _ in stream { draw(for: .milliseconds(1)) }
        }
        while ContinuousClock.now < end {
          continuation.yield(1)
          try? await Task.sleep(for: .microseconds(50))
        }
        continuation.finish()
        await observer.value
      }, call: { await MainActor.run {} })
  }

  private static func backlogIntoView() async -> Waits {
    let view = await View()
    let channel = EventChannel<Int>()
    let subscription = channel.subscribe()
    for event in 0..<200_000 { channel.send(event) }
    channel.finish()
    return await Waits.during(
      { await subscription.pipe(to: view) { $1.value = $0 } }, call: { await MainActor.run {} })
  }

  private static func backlogOfStream() async -> Waits {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for event in 0..<200_000 { continuation.yield(event) }
    continuation.finish()
    return await Waits.during(
      {
        await Task { @MainActor in
          for await _ in stream { draw(for: .microseconds(5)) }
        }.value
      }, call: { await MainActor.run {} })
  }

  private static func text(_ waits: Waits) -> String {
    "\(figure(waits.worst.milliseconds)), \(figure(waits.median.milliseconds))"
  }
}

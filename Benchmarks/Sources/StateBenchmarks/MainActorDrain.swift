import AsyncKnot
import Measure

/// Measures draining buffered states on the main actor.
///
/// The time does not include filling the buffer.
@MainActor
func measureMainActor() async {
  let elements = 20_000
  var ours = Duration.seconds(1)
  var streams = Duration.seconds(1)
  for _ in 0..<5 {
    let node = Node()
    var states = node.states(buffering: .unbounded).makeAsyncIterator()
    await Numbers(bound: elements).pipe(to: node) { $1.value = $0 }
    var start = ContinuousClock.now
    for _ in 0..<elements { consume(await states.next()) }
    ours = min(ours, ContinuousClock.now - start)

    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for element in 0..<elements { continuation.yield(element) }
    var values = stream.makeAsyncIterator()
    start = .now
    for _ in 0..<elements { consume(await values.next()) }
    streams = min(streams, ContinuousClock.now - start)
  }
  let each = ours.nanoseconds / Double(elements)
  let report = Report(["workload", "AsyncKnot, ns", "others, ns (times ours)"])
  report.row(
    "main-actor observer draining buffered states, per state", figure(each),
    "AsyncStream \(figure(streams.nanoseconds / Double(elements))) (\(ratio(streams, to: ours)))")
}

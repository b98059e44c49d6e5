import AsyncKnot
import Measure

/// Measures events that are sent through a channel, and events that a pipe in a bag reduces into a node.
func measureChannels() async {
  let events = 200_000
  let race = Race("Event channels and bags, per event", runs: 5)
  await race.row(
    "EventChannel, one subscriber", operations: events,
    {
      let channel = EventChannel<Int>()
      let subscription = channel.subscribe()
      await withDiscardingTaskGroup { group in
        group.addTask { for await event in subscription { consume(event) } }
        for event in 0..<events { channel.send(event) }
        channel.finish()
      }
    },
    Contender("AsyncStream") {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      await withDiscardingTaskGroup { group in
        group.addTask { for await event in stream { consume(event) } }
        for event in 0..<events { continuation.yield(event) }
        continuation.finish()
      }
    })
  await race.row(
    "pipe in a bag, with a weak reference to the holder", operations: events,
    {
      let node = Node()
      let bag = TaskBag()
      let ended = EventChannel<Void>()
      let end = ended.subscribe()
      Numbers(bound: events).pipe(to: node, in: bag) { number, state in
        state.value = number
        if number == events - 1 { ended.finish() }
      }
      for await _ in end {}
    },
    Contender("a task that calls an actor through a weak reference") {
      let actor = BareActor()
      await Task { [weak actor] in
        for await number in Numbers(bound: events) { await actor?.set(number) }
      }.value
    })
}

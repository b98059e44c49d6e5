// Bugs with streams, groups and cancellation.

extension Animal {
  static let streams = [
    Animal(name: "buffer of one element drops an element that is needed") { isBroken in
      let (stream, continuation) = AsyncStream.makeStream(
        of: Int.self, bufferingPolicy: isBroken ? .bufferingNewest(1) : .unbounded)
      let consumer = Task { await stream.reduce(0, +) }
      await both({ continuation.yield(1) }, { continuation.yield(2) })
      continuation.finish()
      return await consumer.value == 3
    },
    Animal(name: "finish overtakes the last value") { isBroken in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let consumer = Task { await stream.reduce(0, +) }
      let producer = Task { _ = continuation.yield(5) }
      if !isBroken { await producer.value }
      await Task { continuation.finish() }.value
      return await consumer.value == 5
    },
    Animal(name: "results arrive in the order in which tasks end") { isBroken in
      let values = await withTaskGroup(of: (Int, Int).self) { group in
        for index in 0..<3 {
          group.addTask {
            await Task.yield()
            return (index, index * 10)
          }
        }
        var values: [(Int, Int)] = []
        for await value in group { values.append(value) }
        return values
      }
      let sorted = isBroken ? values : values.sorted { $0.0 < $1.0 }
      return sorted.map(\.1) == [0, 10, 20]
    },
    Animal(name: "cancelled work still commits") { isBroken in
      let store = Counter()
      let task = Task {
        await Task.yield()
        if isBroken || !Task.isCancelled { await store.add(1) }
      }
      let canceller = Task {
        task.cancel(); return await store.value
      }
      let seen = await canceller.value
      await task.value
      return await store.value == seen || !isBroken
    },
    Animal(name: "timeout and result both win") { isBroken in
      let race = FirstWins(isBroken: isBroken)
      await both(
        {
          try? await Task.sleep(for: .seconds(1)); await race.offer("result")
        },
        {
          try? await Task.sleep(for: .seconds(1)); await race.offer("timeout")
        })
      return await race.wins == 1
    },
  ]
}

private actor FirstWins {
  private let isBroken: Bool
  private var winner: String?
  private(set) var wins = 0
  init(isBroken: Bool) { self.isBroken = isBroken }
  func offer(_ name: String) async {
    guard winner == nil else { return }
    if isBroken { await Task.yield() }
    winner = name
    wins += 1
  }
}

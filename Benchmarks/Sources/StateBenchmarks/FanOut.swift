import AsyncKnot
import Measure
import Synchronization

/// Resumes a writer when all of its observers have seen a value.
final class Barrier: Sendable {
  private struct Storage {
    var missing: Int
    var writer: CheckedContinuation<Void, Never>?
  }

  private let storage: Mutex<Storage>
  private let size: Int

  init(size: Int) {
    self.size = size
    storage = Mutex(Storage(missing: size))
  }

  /// Records that one more observer has seen the value.
  func arrive() {
    let writer = storage.withLock { storage in
      storage.missing -= 1
      return storage.missing == 0 ? storage.writer.take() : nil
    }
    writer?.resume()
  }

  /// Calls `write` with each value after all observers have seen the previous value.
  func lead(_ rounds: Int, _ write: (Int) async -> Void) async {
    for value in 1...rounds {
      await arrivals()
      await write(value)
    }
    await arrivals()
  }

  private func arrivals() async {
    await withCheckedContinuation { writer in
      let hasArrived = storage.withLock { storage in
        guard storage.missing == 0 else {
          storage.writer = writer
          return false
        }
        return true
      }
      if hasArrived { writer.resume() }
    }
    storage.withLock { $0.missing = size }
  }
}

/// Tasks that only wait to be woken, which is the minimum work of a fan-out to tasks.
final class Sleepers: Sendable {
  private let sleepers = Mutex<[UnsafeContinuation<Void, Never>]>([])

  func wait(noting arrival: () -> Void) async {
    await withUnsafeContinuation { sleeper in
      sleepers.withLock { $0.append(sleeper) }
      arrival()
    }
  }

  func wakeAll() {
    let woken = sleepers.withLock { sleepers in
      defer { sleepers.removeAll(keepingCapacity: true) }
      return sleepers
    }
    for sleeper in woken { sleeper.resume() }
  }
}

/// Measures deliveries, including the wake-ups, from a writer that waits for all observers after each write.
func measureFanOut() async {
  let race = Race("Lock-step fan-out: a task per observer, per delivery", runs: 5)
  for observers in [1, 100, 1_000] {
    let rounds = 200_000 / (observers + 9)
    await race.row(
      "\(observers)", operations: rounds * observers,
      {
        let node = Node()
        let barrier = Barrier(size: observers)
        await withDiscardingTaskGroup { group in
          for _ in 0..<observers {
            group.addTask {
              for await state in node.states {
                barrier.arrive()
                if state.value == rounds { break }
              }
            }
          }
          await barrier.lead(rounds) { round in await node.reduce { $0.value = round } }
        }
      },
      Contender("AsyncStream each") {
        let barrier = Barrier(size: observers)
        let streams = (0..<observers).map { _ in AsyncStream.makeStream(of: Int.self) }
        await withDiscardingTaskGroup { group in
          for (stream, continuation) in streams {
            continuation.yield(0)
            group.addTask {
              for await value in stream {
                barrier.arrive()
                if value == rounds { break }
              }
            }
          }
          await barrier.lead(rounds) { round in
            for (_, continuation) in streams { continuation.yield(round) }
          }
        }
      },
      Contender("bare wake-ups") {
        let barrier = Barrier(size: observers)
        let sleepers = Sleepers()
        await withDiscardingTaskGroup { group in
          for _ in 0..<observers {
            group.addTask { for _ in 0...rounds { await sleepers.wait { barrier.arrive() } } }
          }
          await barrier.lead(rounds) { _ in sleepers.wakeAll() }
          sleepers.wakeAll()
        }
      })
  }
}

/// Measures a burst of writes until every observer has the last state, and a burst while one of ten observers stalls.
func measureBursts() async {
  let updates = 100_000
  let race = Race("Bursts of 100,000 updates, per update", runs: 5)
  for observers in [1, 100, 1_000] {
    await race.row(
      "until \(observers) observers have the last one", operations: updates,
      {
        let node = Node()
        await withDiscardingTaskGroup { group in
          for _ in 0..<observers {
            group.addTask { for await state in node.states where state.value == updates { break } }
          }
          for update in 1...updates { await node.reduce { $0.value = update } }
        }
      })
  }
  await race.row(
    "10 observers, one of them stalled", operations: updates,
    {
      let node = Node()
      var stalled = node.states.makeAsyncIterator()
      _ = await stalled.next()
      await withDiscardingTaskGroup { group in
        for _ in 0..<9 {
          group.addTask { for await state in node.states where state.value == updates { break } }
        }
        await Numbers(bound: updates + 1).pipe(to: node) { $1.value = $0 }
      }
    },
    Contender("AsyncStream each") {
      let streams = (0..<10).map { _ in AsyncStream.makeStream(of: Int.self) }
      await withDiscardingTaskGroup { group in
        for (stream, _) in streams.dropFirst() {
          group.addTask { for await value in stream where value == updates { break } }
        }
        for update in 0...updates {
          for (_, continuation) in streams { continuation.yield(update) }
        }
      }
    })
}

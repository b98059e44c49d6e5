import AsyncKnot
import Measure
import Synchronization

/// Measures concurrent producers that write to one state, and traps if an update is lost.
func measureProducers() async {
  let each = 10_000
  let race = Race("Concurrent producers, 10,000 increments each, per increment")
  for producers in [2, 8, 64] {
    await race.row(
      "\(producers) pipes, no increment lost", operations: producers * each,
      {
        let node = Node()
        await withDiscardingTaskGroup { group in
          for _ in 0..<producers {
            group.addTask {
              await Numbers(bound: each).pipe(to: node) { _, state in state.value += 1 }
            }
          }
        }
        precondition(node.state.value == producers * each, "updates were lost")
      },
      Contender("Mutex") {
        let locked = Locked()
        await withDiscardingTaskGroup { group in
          for _ in 0..<producers {
            group.addTask {
              for await _ in Numbers(bound: each) { locked.value.withLock { $0 += 1 } }
            }
          }
        }
      })
  }
}

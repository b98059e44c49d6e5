/// Tests jobs that run at a preemption point while the interrupted code holds a lock.
@Suite struct PreemptionPointTests {
  @Test(
    "X9: a cancelled task ends only after its cancellation handlers have returned, even if other jobs run in a handler"
  )
  func cancellationHandlers() async {
    await explore(seeds: 300) {
      let said = Log<String>()
      let task = Task {
        await withTaskCancellationHandler {
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(10))
          } onCancel: {
            for _ in 0..<4 { preemptionPoint() }
            said.append("inner")
          }
        } onCancel: {
          said.append("outer")
        }
        said.append("ended")
      }
      for _ in 0..<4 { await Task.yield() }
      task.cancel()
      await task.value
      sometimes("the handlers are called during the sleep", said.all.count == 3)
      try hold(
        said.all == ["inner", "outer", "ended"] || said.all == ["outer", "inner", "ended"],
        "\(said.all)")
    }
  }

  private final class Box: Sendable { let value = Mutex(0) }

  @Test(
    "X9: a job that runs at a preemption point waits for a lock that the interrupted code holds")
  func lock() async {
    await explore(seeds: 300) {
      let box = Box()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            box.value.withLock { value in
              let seen = value
              preemptionPoint()
              value = seen + 1
            }
          }
        }
      }
      try hold(box.value.withLock { $0 } == 2, "an update was lost")
    }
  }
}

/// X7: tasks that a scenario leaves behind.
@Suite struct LeftTests {
  private static let forgets: @Sendable () async -> Void = {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let reader = Task(name: "reader") { for await _ in stream {} }
    continuation.yield(1)
    await Task.yield()
    _ = (reader, continuation)
  }

  @Test("X7: a task that is still waiting at the end fails the run if no task may be left")
  func leavesNothing() async {
    await explore(seeds: 20, Self.forgets)
    let issues = await recordedIssues {
      await explore(seeds: 20, leavesNothing: true) {
        let gate = Task(name: "sleeper") { try? await Task.sleep(for: .seconds(60)) }
        _ = gate
      }
    }
    #expect(issues.say("left 1 task behind", "sleeper", "Who waits for whom"))
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let issues = await recordedIssues {
        await explore(seeds: 20, allowing: [.noChoice], leavesNothing: true) {
          Task.immediate { try await Task.sleep(for: .seconds(60)) }
        }
      }
      #expect(issues.say("left 1 task behind"))
    }
    await explore(seeds: 20, allowing: [.noChoice], leavesNothing: true) {
      let task = Task { await Task.yield() }
      await task.value
    }
  }

  /// Runs each job immediately, on the thread that enqueues it.
  private final class Inline: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  @Test("X7: a waiting task with its own executor fails the run if no task may be left")
  func ownExecutor() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, allowing: [.noChoice], leavesNothing: true) {
        Task(executorPreference: Inline()) {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }
    #expect(issues.count == 1 && issues.say("left 1 task behind"))
    await explore(seeds: 1, allowing: [.noChoice], leavesNothing: true) {
      await explore(seeds: 1, allowing: [.noChoice]) {}
      await Task(executorPreference: Inline()) {}.value
    }
  }

  @Test("X2: with fifoActors, calls reach an actor in the order in which they were made")
  func fifo() async {
    func orders(isFifo: Bool) async -> Set<[Int]> {
      let orders = Log<[Int]>()
      var exploration = Exploration(seeds: 200, allowing: [.noChoice])
      exploration.fifoActors = isFifo
      await explore(exploration) { @MainActor in
        let desk = Desk()
        let tasks = (0..<4).map { number in Task { await desk.call(number) } }
        for task in tasks { await task.value }
        orders.append(await desk.calls)
      }
      return Set(orders.all)
    }
    #expect(await orders(isFifo: false).count > 12)
    #expect(await orders(isFifo: true) == [[0, 1, 2, 3]])
  }

  private actor Desk {
    private(set) var calls: [Int] = []
    func call(_ number: Int) { calls.append(number) }
  }
}

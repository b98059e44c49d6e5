import Synchronization

// A model of a bug in a published scheduler.

extension Animal {
  static let jobs = [
    // sourcekit-lsp 47a940d8^, TaskScheduler.
    Animal(name: "job is cancelled as it starts, and keeps running", switches: 2) { isBroken in
      let scheduler = JobScheduler(isBroken: isBroken)
      let job = await scheduler.schedule()
      let cancelling = Task { job.cancel() }
      await job.result.value
      await cancelling.value
      try? await Task.sleep(for: .seconds(200))
      return job.uncancelled.value == 0
    }
  ]
}

/// Runs a job in a task that is created later, and hands that task to the job's `result` task, which callers cancel.
private actor JobScheduler {
  private let isBroken: Bool
  private var pending: [Job] = []
  init(isBroken: Bool) { self.isBroken = isBroken }

  func schedule() async -> Job {
    let job = await Job(isBroken: isBroken)
    pending.append(job)
    poke()
    return job
  }

  private func poke() {
    guard !pending.isEmpty else { return }
    let job = pending.removeFirst()
    Task.detached {
      await job.execute()
      await self.poke()
    }
  }
}

private actor Job {
  private let isBroken: Bool
  private let tasks: AsyncStream<Task<Void, Never>>.Continuation
  private let note: CancellationNote
  nonisolated let uncancelled = Tally()
  nonisolated let result: Task<Void, Never>

  init(isBroken: Bool) async {
    self.isBroken = isBroken
    let (created, tasks) = AsyncStream.makeStream(of: Task<Void, Never>.self)
    self.tasks = tasks
    let seen = CancellationNote()
    note = seen
    result = Task.detached {
      await withTaskCancellationHandler {
        for await task in created {
          await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
          return
        }
      } onCancel: {
        seen.isSet.withLock { $0 = true }
      }
    }
  }

  private final class CancellationNote: Sendable { let isSet = Mutex(false) }

  nonisolated func cancel() { result.cancel() }

  func execute() async {
    let task = Task.detached { [note, uncancelled] in
      if Task.isCancelled || note.isSet.withLock({ $0 }) { return }
      do { try await Task.sleep(for: .seconds(100)) } catch { return }
      uncancelled.add()
    }
    // A stream whose reader was cancelled accepts no more elements.
    if case .terminated = tasks.yield(task), !isBroken { task.cancel() }
    await task.value
  }
}

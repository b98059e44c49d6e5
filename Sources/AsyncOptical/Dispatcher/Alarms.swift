internal import AsyncKnot
internal import Synchronization

/// Wakes many waiting tasks with one sleeping task.
///
/// A cancelled sleep of a standard clock keeps its memory until its time is over; a wait here keeps
/// nothing once it has ended.
final class Alarms: Sendable {
  private struct Table {
    var waiting: [Int: (deadline: Duration, task: CheckedContinuation<Bool, Never>)] = [:]
    /// The waits that were cancelled and have not ended.
    var cancelled: Set<Int> = []
    var lastNumber = 0
    /// The time at which the newest sleeping task wakes up; the older ones do nothing then.
    var next: Duration?
  }

  private let table = Mutex(Table())
  private let bag = TaskBag()
  private let sleep: @Sendable (Duration) async throws -> Void

  init(_ sleep: @escaping @Sendable (Duration) async throws -> Void) { self.sleep = sleep }

  /// The number of tasks that sleep.
  var sleepingCount: Int { bag.count }

  /// Waits until a deadline; returns `false` if the task is cancelled or the clock fails before.
  func wait(until deadline: Duration) async -> Bool {
    let number = table.withLock { table in
      table.lastNumber += 1
      return table.lastNumber
    }
    defer { _ = table.withLock { $0.cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        let (isCancelled, isNext) = table.withLock { table in
          if table.cancelled.contains(number) { return (true, false) }
          table.waiting[number] = (deadline, task)
          let isNext = table.next.map { deadline < $0 } ?? true
          if isNext { table.next = deadline }
          return (false, isNext)
        }
        if isCancelled { task.resume(returning: false) }
        if isNext { startSleeping(until: deadline) }
      }
    } onCancel: {
      let waiting = table.withLock { table in
        table.cancelled.insert(number)
        return table.waiting.removeValue(forKey: number)
      }
      waiting?.task.resume(returning: false)
    }
  }

  private func startSleeping(until deadline: Duration) {
    _ = bag.addApart(priority: .high) { [weak self, sleep] in
      var isFailed = false
      do { try await sleep(deadline) } catch { isFailed = true }
      self?.wake(at: deadline, isFailed: isFailed)
    }
  }

  private func wake(at deadline: Duration, isFailed: Bool) {
    let (woken, next) = table.withLock { table in
      guard table.next == deadline else {
        return ([] as [CheckedContinuation<Bool, Never>], nil as Duration?)
      }
      let due = table.waiting.filter { isFailed || $0.value.deadline <= deadline }
      for number in due.keys { table.waiting[number] = nil }
      table.next = table.waiting.values.map(\.deadline).min()
      return (due.values.map(\.task), table.next)
    }
    for task in woken { task.resume(returning: !isFailed) }
    if let next { startSleeping(until: next) }
  }
}

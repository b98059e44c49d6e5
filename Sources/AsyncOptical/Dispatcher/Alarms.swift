internal import AsyncKnot
internal import Synchronization

/// Calls closures at their deadlines, with only a few sleeping tasks.
///
/// Removing an alarm releases its closure immediately. The sleeping tasks are not cancelled, because a standard clock keeps the
/// memory of a cancelled sleep until the deadline.
///
/// - Complexity: Adding, removing and ringing an alarm is amortized O(log alarms).
final class Alarms: Sendable {
  private struct Table {
    /// The closures, ordered by deadline.
    var rings = Deadlines<Duration, @Sendable (_ isFailed: Bool) -> Void>()
    /// The times at which the sleeping tasks wake up.
    ///
    /// Each new task sleeps at most half as long as the previous one, so there are few tasks even if each
    /// deadline is earlier than the previous one.
    var sleeping: [Duration] = []

    /// Returns the time at which an additional task must wake up for a deadline; `nil` if a task already wakes up early enough.
    ///
    /// A task that wakes up before the first deadline starts another task, unless a task already wakes up early enough.
    mutating func wakeUp(for deadline: Duration, now: Duration) -> Duration? {
      var time = deadline
      if let next = sleeping.last {
        if next <= deadline { return nil }
        time = min(deadline, now + (next - now) / 2)
      }
      sleeping.append(time)
      return time
    }
  }

  private let table = Mutex(Table())
  private let bag = TaskBag()
  let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// Adds a closure that is called at a deadline, or earlier if the clock throws.
  func add(at deadline: Duration, _ ring: @escaping @Sendable (_ isFailed: Bool) -> Void) -> Int {
    let now = timeline.now()
    let (number, wakeUp) = table.withLock { table in
      (table.rings.insert(ring, at: deadline), table.wakeUp(for: deadline, now: now))
    }
    if let wakeUp { startSleeping(until: wakeUp) }
    return number
  }

  func remove(_ number: Int) {
    let ring = table.withLock { $0.rings.remove(number) }
    withExtendedLifetime(ring) {}
  }

  private func startSleeping(until deadline: Duration) {
    _ = bag.addApart(priority: .high) { [weak self, timeline] in
      var isFailed = false
      do { try await timeline.sleep(deadline) } catch { isFailed = true }
      if !Task.isCancelled { self?.wake(from: deadline, isFailed: isFailed) }
    }
  }

  private func wake(from deadline: Duration, isFailed: Bool) {
    let time = max(deadline, timeline.now())
    let (due, next) = table.withLock { table in
      table.sleeping.removeAll { $0 == deadline }
      var due: [@Sendable (_ isFailed: Bool) -> Void] = []
      while let ring = table.rings.popFirst(where: { isFailed || $0 <= time }) { due.append(ring) }
      return (due, table.rings.first.flatMap { table.wakeUp(for: $0, now: time) })
    }
    if let next { startSleeping(until: next) }
    for ring in due { ring(isFailed) }
  }
}

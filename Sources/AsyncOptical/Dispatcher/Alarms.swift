internal import AsyncKnot
internal import Synchronization

/// Calls closures at their times, from a few sleeping tasks.
///
/// A sleep is not cancelled: one of a standard clock would keep its memory until its time is over. A
/// removed alarm keeps nothing. Adding, removing and each alarm that rings cost O(log alarms), amortised.
final class Alarms: Sendable {
  private struct Table {
    /// The closures that are called at their deadlines.
    var rings = Deadlines<Duration, @Sendable (_ isFailed: Bool) -> Void>()
    /// When the tasks that sleep wake up.
    ///
    /// Each sleeps at most half as long as the one before it: they are few, however deadlines shrink.
    var sleeping: [Duration] = []

    /// When one more task must wake up to be in time for a deadline; `nil` if one wakes up before it.
    ///
    /// A task that wakes up before any alarm is due has another one sleep on.
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

  /// Adds a closure that is called at a deadline, or before if the clock fails.
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

extension Desk {
  /// The alarms on the holder's clock, which is read once; traps if it measures no `Duration`.
  func alarms(of holder: Holder) -> Alarms {
    if let alarms = alarms.withLock({ $0 }) { return alarms }
    guard let clock = holder.clock as? any Clock<Duration> else {
      fatalError(
        "\(Holder.self).clock: needs a clock whose durations are Duration; got \(Holder.PolicyClock.self)"
      )
    }
    let alarms = Alarms(Timeline(clock))
    self.alarms.withLock { $0 = alarms }
    return alarms
  }
}

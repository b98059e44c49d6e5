internal import AsyncKnot
internal import Synchronization

/// Calls closures at their times, from a few sleeping tasks.
///
/// A sleep is not cancelled: one of a standard clock would keep its memory until its time is over. A
/// removed alarm keeps nothing. Adding and removing are O(1); waking up is O(alarms).
final class Alarms: Sendable {
  private struct Alarm {
    let deadline: Duration
    let ring: @Sendable (_ isFailed: Bool) -> Void
  }

  private struct Table {
    var alarms: [Int: Alarm] = [:]
    var lastNumber = 0
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

  var sleepingCount: Int { bag.count }

  /// Adds a closure that is called at a deadline, or before if the clock fails.
  func add(at deadline: Duration, _ ring: @escaping @Sendable (_ isFailed: Bool) -> Void) -> Int {
    let now = timeline.now()
    let (number, wakeUp) = table.withLock { table in
      table.lastNumber += 1
      table.alarms[table.lastNumber] = Alarm(deadline: deadline, ring: ring)
      return (table.lastNumber, table.wakeUp(for: deadline, now: now))
    }
    if let wakeUp { startSleeping(until: wakeUp) }
    return number
  }

  func remove(_ number: Int) {
    let alarm = table.withLock { $0.alarms.removeValue(forKey: number) }
    withExtendedLifetime(alarm) {}
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
      let due = table.alarms.filter { isFailed || $0.value.deadline <= time }
      for number in due.keys { table.alarms[number] = nil }
      let next = table.alarms.values.map(\.deadline).min()
      return (due, next.flatMap { table.wakeUp(for: $0, now: time) })
    }
    if let next { startSleeping(until: next) }
    for alarm in due.sorted(by: { $0.key < $1.key }) { alarm.value.ring(isFailed) }
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

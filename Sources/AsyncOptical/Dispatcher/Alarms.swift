internal import AsyncKnot
internal import Synchronization

/// Calls closures at their times, from one sleeping task.
///
/// A cancelled sleep of a standard clock keeps its memory until its time is over; a removed alarm
/// keeps nothing. Adding and removing are O(1); waking up is O(alarms).
final class Alarms: Sendable {
  private struct Alarm {
    let deadline: Duration
    let ring: @Sendable (_ isFailed: Bool) -> Void
  }

  private struct Table {
    var alarms: [Int: Alarm] = [:]
    var lastNumber = 0
    /// When the tasks that sleep wake up; each was started for an earlier time than those before.
    var sleeping: [Duration] = []

    mutating func needsTask(for deadline: Duration) -> Bool {
      if let next = sleeping.last, next <= deadline { return false }
      sleeping.append(deadline)
      return true
    }
  }

  private let table = Mutex(Table())
  private let bag = TaskBag()
  let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  var sleepingCount: Int { bag.count }

  /// Adds a closure that is called at a deadline, or before if the clock fails.
  func add(at deadline: Duration, _ ring: @escaping @Sendable (_ isFailed: Bool) -> Void) -> Int {
    let (number, isFirst) = table.withLock { table in
      table.lastNumber += 1
      table.alarms[table.lastNumber] = Alarm(deadline: deadline, ring: ring)
      return (table.lastNumber, table.needsTask(for: deadline))
    }
    if isFirst { startSleeping(until: deadline) }
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
      return (due, next.flatMap { table.needsTask(for: $0) ? $0 : nil })
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

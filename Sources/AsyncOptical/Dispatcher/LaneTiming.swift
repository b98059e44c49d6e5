/// When a lane's current interval or wait began, and when it ends.
///
/// An untimed lane never has a deadline.
struct LaneTiming: Sendable {
  /// An alarm that posts the lane's due item.
  struct Alarm: Sendable {
    let deadline: Duration
    let urgency: UInt8
    let number: Int
  }

  private var began = Duration.zero
  private var interval = Duration.zero
  /// The next time at which the clock changes the lane; `nil` if only messages can change it.
  private(set) var deadline: Duration?
  /// The alarm that is set.
  ///
  /// It may ring before the deadline, but not after it.
  private(set) var alarm: Alarm?

  /// Begins an interval when a message starts.
  mutating func begin(_ interval: Duration, _ now: Duration) {
    (began, self.interval, deadline) = (now, interval, now + interval)
  }

  /// Changes the length of the current interval.
  ///
  /// If the interval has already ended, `continueInterval(_:)` uses the new length.
  mutating func change(to interval: Duration) {
    self.interval = interval
    if deadline != nil { deadline = began + interval }
  }

  /// Sets the deadline to the end of the current interval, even if the last message took several intervals.
  mutating func continueInterval(_ now: Duration) {
    guard deadline == nil else { return }
    let passed = ((now - began).attoseconds - 1) / interval.attoseconds
    began += Duration(attoseconds: passed * interval.attoseconds)
    deadline = began + interval
  }

  /// Restarts the quiet period, which ends no later than `longest` after the wait began.
  mutating func wait(_ quiet: Duration, atMost longest: Duration?, _ now: Duration, isFirst: Bool) {
    if isFirst { began = now }
    deadline = longest.map { min(now + quiet, began + $0) } ?? now + quiet
  }

  /// Ends the wait if `now` has reached its deadline; returns whether the wait has ended.
  mutating func endWait(_ now: Duration) -> Bool {
    guard let deadline, deadline <= now else { return false }
    passDeadline(now, isFailed: false)
    return true
  }

  /// Removes the alarm, which may have rung early, and the deadline if it has passed or the clock has failed.
  mutating func passDeadline(_ now: Duration, isFailed: Bool) {
    alarm = nil
    if let deadline, isFailed || deadline <= now { self.deadline = nil }
  }

  /// Returns whether the alarm that is set rings in time, and with enough priority.
  func isCovered(for deadline: Duration, at urgency: UInt8) -> Bool {
    alarm.map { $0.deadline <= deadline && $0.urgency >= urgency } ?? false
  }

  mutating func replaceAlarm(by alarm: Alarm) { self.alarm = alarm }
}

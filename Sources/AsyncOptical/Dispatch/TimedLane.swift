internal import AsyncKnot

/// A lane that waits for a clock: a debounced one for a quiet time, a throttled one for the end of
/// an interval.
@usableFromInline
struct TimedLane<Message: Sendable>: Sendable {
  /// The last message sent; `nil` in a throttled lane without a waiting message.
  @usableFromInline var message: Message?
  /// The time of the last message of a debounced lane; the start of the interval of a throttled
  /// one.
  @usableFromInline var began: Duration
  @usableFromInline var interval: Duration
  /// The time at which the running timer wakes up; `nil` if the lane waits for the end of the
  /// message in flight.
  @usableFromInline var timer: Duration?
  /// The priority at which the timer runs, or has to run.
  @usableFromInline var urgency: UInt8

  @usableFromInline
  init(began: Duration, interval: Duration, urgency: UInt8) {
    self.began = began
    self.interval = interval
    self.urgency = urgency
    timer = began + interval
  }

  /// The time at which the message is due.
  @usableFromInline var deadline: Duration { began + interval }
}

extension Lanes {
  /// What a timer does after it has slept.
  @usableFromInline
  enum Due: Sendable {
    /// Makes the lane's next message start, then sleeps until `then`, if that is set.
    case start(then: Duration?)
    /// Sleeps again.
    case sleep(until: Duration)
  }

  /// Replaces the waiting message of a timed lane.
  ///
  /// - Returns: `.delay`, with a deadline if a new timer is needed, and the replaced message, which
  ///   must be released outside the lock.
  @usableFromInline
  mutating func delay(
    _ message: Message, in lane: Lane, now: Duration, interval: Duration, urgency: UInt8
  ) -> (admission: Admission, number: Int, dropped: Message?) {
    guard var known = timed[lane] else {
      var new = TimedLane<Message>(began: now, interval: interval, urgency: urgency)
      new.message = message
      timed[lane] = new
      waitingCount += 1
      return (.delay(timer: new.deadline), 0, nil)
    }
    let dropped = known.message
    if dropped == nil { waitingCount += 1 }
    known.message = message
    if lane.kind == .debounced { known.began = now }
    known.interval = interval
    // A new timer is needed if the running one is too late for this message or runs at too low a
    // priority.
    let needsTimer =
      known.timer.map { known.deadline < $0 || urgency > known.urgency } ?? false
    if needsTimer { known.timer = known.deadline }
    known.urgency = max(urgency, known.urgency)
    timed[lane] = known
    return (.delay(timer: needsTimer ? known.deadline : nil), 0, dropped)
  }

  /// What a timer does that has slept until `now`; `nil` ends the timer.
  ///
  /// A message that is due waits in `occupied` until `startNext`, so that `cancel` still finds it.
  /// While another one is in flight, no timer is needed; its end calls `resume`.
  @usableFromInline
  mutating func due(in lane: Lane, at now: Duration) -> Due? {
    file()
    guard var known = timed[lane] else { return nil }
    guard known.deadline <= now else {
      timed[lane]?.timer = known.deadline
      return .sleep(until: known.deadline)
    }
    guard let message = known.message else {
      timed[lane] = nil
      return nil
    }
    guard lane.kind == .throttled else {
      timed[lane] = nil
      occupied[lane, default: Occupied()].waiting.append(message)
      return .start(then: nil)
    }
    guard occupied[lane] == nil else {
      timed[lane]?.timer = nil
      return nil
    }
    known.began = now
    known.timer = known.deadline
    known.message = nil
    timed[lane] = known
    occupied[lane, default: Occupied()].waiting.append(message)
    return .start(then: known.deadline)
  }

  /// Begins to wait for a clock again, after the message in flight has ended.
  ///
  /// - Returns: The end of the interval in which it has ended, until which a timer must sleep, and
  ///   the timer's priority; `nil` if no message waits.
  @usableFromInline
  mutating func resume(_ lane: Lane, at now: Duration) -> (deadline: Duration, urgency: UInt8)? {
    guard var known = timed[lane], known.message != nil, known.timer == nil else { return nil }
    let interval = known.interval.attoseconds
    // An end at the end of an interval belongs to this interval.
    let passed = ((now - known.began).attoseconds - 1) / interval
    known.began += Duration(attoseconds: passed * interval)
    known.timer = known.deadline
    timed[lane] = known
    return (known.deadline, known.urgency)
  }

  /// Cancels a lane: drops its waiting messages and frees the lane.
  ///
  /// A serial lane stays occupied until its message in flight has ended, or, if the next one is due,
  /// until `startNext`.
  ///
  /// - Returns: The token of the message in flight, which the caller cancels, and the dropped
  ///   messages, which must be released outside the lock.
  @usableFromInline
  mutating func cancel(_ lane: Lane) -> (inFlight: Token?, dropped: [Message]) {
    file()
    var dropped: [Message] = []
    if let message = timed.removeValue(forKey: lane)?.message { dropped.append(message) }
    let token = occupied[lane]?.inFlight?.token
    while let message = occupied[lane]?.waiting.popFirst() { dropped.append(message) }
    if lane.kind != .serial { occupied[lane] = nil }
    waitingCount -= dropped.count
    return (token, dropped)
  }
}

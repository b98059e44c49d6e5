internal import AsyncKnot

/// A lane that waits for a clock: for quiet, or for the end of an interval.
@usableFromInline
struct TimedLane<Message: Sendable>: Sendable {
  /// The last message sent; a throttled lane may have none.
  @usableFromInline var message: Message?
  /// When the last message was sent to a debounced lane; when the interval of a throttled one began.
  @usableFromInline var began: Duration
  @usableFromInline var interval: Duration
  /// When the timer that runs wakes up.
  @usableFromInline var timer: Duration
  /// The priority at which the timer runs.
  @usableFromInline var urgency: UInt8

  @usableFromInline
  init(began: Duration, interval: Duration, urgency: UInt8) {
    self.began = began
    self.interval = interval
    self.urgency = urgency
    timer = began + interval
  }

  /// When the message is due.
  @usableFromInline var deadline: Duration { began + interval }
}

extension Lanes {
  /// What a timer does when it has slept.
  @usableFromInline
  enum Due: Sendable {
    /// Starts a message, then sleeps on where the lane goes on.
    case start(Message, then: Duration?)
    /// Sleeps on.
    case sleep(until: Duration)
  }

  /// Lets a message take the place of the one that waits in its lane.
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
    // The timer is too late for this message, or would wake up at too low a priority.
    let needsTimer = known.deadline < known.timer || urgency > known.urgency
    if needsTimer {
      known.timer = known.deadline
      known.urgency = max(urgency, known.urgency)
    }
    timed[lane] = known
    return (.delay(timer: needsTimer ? known.deadline : nil), 0, dropped)
  }

  /// Answers a timer that has slept until `now`; a message that starts counts as waiting until it is sent.
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
      return .start(message, then: nil)
    }
    known.began = now
    known.timer = known.deadline
    let isBusy = occupied[lane] != nil
    if !isBusy { known.message = nil }
    timed[lane] = known
    return isBusy ? .sleep(until: known.deadline) : .start(message, then: known.deadline)
  }

  /// Frees a lane: what is in flight is to be cancelled, and nothing that waits is started.
  ///
  /// A serial lane stays taken until its message has ended.
  ///
  /// - Returns: The one in flight, and what is dropped, which must die outside of the lock.
  @usableFromInline
  mutating func cancel(_ lane: Lane) -> (inFlight: Token?, dropped: [Message]) {
    file()
    var dropped: [Message] = []
    if let message = timed.removeValue(forKey: lane)?.message { dropped.append(message) }
    let token = occupied[lane]?.token
    if lane.kind == .serial {
      while let message = occupied[lane]?.waiting.popFirst() { dropped.append(message) }
    } else {
      occupied[lane] = nil
    }
    waitingCount -= dropped.count
    return (token, dropped)
  }
}

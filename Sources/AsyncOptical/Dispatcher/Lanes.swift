internal import AsyncKnot

/// The lanes in which messages wait, serial and timed ones, as a value that only the holder uses.
///
/// Transitions are O(1), amortised, but for `cancel` (messages that wait) and `dropOldest` (lanes).
struct Lanes<Message: Sendable, Token: Equatable & Sendable> {
  /// A lane with a message in flight, with messages that wait, or in an interval.
  struct Occupied {
    var inFlight: Token?
    /// The messages that wait, each with its number: in a timed lane one at most.
    var waiting = Fifo<(number: Int, message: Message)>()
    /// The highest priority of a message that has waited.
    var urgency: UInt8 = 0
    /// The time of the last message of a debounced lane; the start of a throttled one's interval.
    var began = Duration.zero
    var interval = Duration.zero
    /// When the lane is to be looked at; `nil` if only a message, or the end of one, changes it.
    var deadline: Duration?
    /// The alarm that is set; it may ring too early, never too late.
    var timer: (deadline: Duration, urgency: UInt8, alarm: Int)?

    var isFree: Bool { inFlight == nil && waiting.isEmpty && deadline == nil }
  }

  var occupied: [Lane: Occupied] = [:]
  private(set) var waitingCount = 0
  private var lastNumber = 0

  mutating func admit(
    _ message: Message, to lane: Lane, as token: Token, now: Duration = .zero,
    interval: Duration = .zero, urgency: UInt8 = 0
  ) -> Admission<Token> {
    lastNumber += 1
    let hasWaiting = lane.kind.isTimed && occupied[lane]?.waiting.isEmpty == false
    // In place: a copy of a lane would copy all that waits in it.
    let admission = occupied[lane, default: Occupied()].admit(
      (lastNumber, message), kind: lane.kind, as: token, now: now, interval: interval,
      urgency: urgency)
    if case .wait = admission, !hasWaiting { waitingCount += 1 }
    return admission
  }

  /// Starts the next message of a lane, if one is due: a serial lane's when the one before has
  /// ended, a timed lane's at its deadline.
  mutating func startNext(
    in lane: Lane, as token: Token, now: Duration = .zero, isFailed: Bool = false
  ) -> (message: Message, superseded: Token?)? {
    guard let index = occupied.index(forKey: lane) else { return nil }
    let next = occupied.values[index].startNext(
      kind: lane.kind, as: token, now: now, isFailed: isFailed)
    if next != nil { waitingCount -= 1 }
    if occupied.values[index].isFree { occupied.remove(at: index) }
    return next
  }

  /// Ends a message; returns the urgency of a serial lane's next one, which is due.
  mutating func finish(_ token: Token, in lane: Lane, now: Duration = .zero) -> UInt8? {
    guard let index = occupied.index(forKey: lane), occupied.values[index].inFlight == token else {
      return nil
    }
    occupied.values[index].inFlight = nil
    guard !occupied.values[index].isFree else {
      occupied.remove(at: index)
      return nil
    }
    if lane.kind == .throttled { occupied.values[index].continueInterval(now) }
    return lane.kind == .serial ? occupied.values[index].urgency : nil
  }

  /// Frees a lane and drops its waiting messages; a serial one stays until its message in flight
  /// has ended.
  mutating func cancel(_ lane: Lane) -> Occupied? {
    guard let known = occupied.removeValue(forKey: lane) else { return nil }
    waitingCount -= known.waiting.count
    if lane.kind == .serial { occupied[lane] = Occupied(inFlight: known.inFlight) }
    return known
  }

  mutating func dropOldest() -> Message? {
    let oldest = occupied.lazy.filter { !$0.value.waiting.isEmpty }
      .min { ($0.value.waiting.first?.number ?? 0) < ($1.value.waiting.first?.number ?? 0) }
    guard let lane = oldest?.key else { return nil }
    waitingCount -= 1
    return occupied[lane]?.waiting.popFirst()?.message
  }
}

extension Lanes.Occupied {
  mutating func admit(
    _ message: (number: Int, message: Message), kind: Lane.Kind, as token: Token, now: Duration,
    interval: Duration, urgency: UInt8
  ) -> Admission<Token> {
    if kind != .debounced, isFree {
      inFlight = token
      if kind == .throttled { (began, deadline) = (now, now + interval) }
      (self.interval, self.urgency) = (interval, urgency)
      return .start(superseding: nil)
    }
    if kind.isTimed {
      _ = waiting.popFirst()
      self.interval = interval
      if kind == .debounced { began = now }
      // A throttled lane without a deadline waits for the end of the message in flight.
      if kind == .debounced || deadline != nil { deadline = began + interval }
    }
    waiting.append(message)
    self.urgency = max(urgency, self.urgency)
    return .wait
  }

  mutating func startNext(
    kind: Lane.Kind, as token: Token, now: Duration, isFailed: Bool
  ) -> (message: Message, superseded: Token?)? {
    if kind.isTimed {
      if let timer, isFailed || timer.deadline <= now { self.timer = nil }
      guard let deadline, isFailed || deadline <= now else { return nil }
      self.deadline = nil
    }
    let superseded = inFlight
    guard superseded == nil || kind == .debounced, let next = waiting.popFirst()?.message else {
      return nil
    }
    inFlight = token
    if kind == .throttled { (began, deadline) = (now, now + interval) }
    return (next, superseded)
  }

  /// After a message that took several intervals: what waits starts at the end of the current one.
  mutating func continueInterval(_ now: Duration) {
    guard deadline == nil else { return }
    let passed = ((now - began).attoseconds - 1) / interval.attoseconds
    began += Duration(attoseconds: passed * interval.attoseconds)
    deadline = began + interval
  }
}

public import AsyncKnot

/// The state machine behind the policies: a value that only the holder uses, and that can be tested
/// without an actor.
///
/// - Complexity: every transition is O(1), amortised, except `cancel`, which is O(messages that
///   wait), and `dropOldest`, which is O(lanes).
@usableFromInline
struct Lanes<Message: Sendable, Token: Equatable & Sendable>: Sendable {
  /// What becomes of a message that has arrived.
  @usableFromInline
  enum Admission: Sendable {
    /// The message starts now; the holder cancels the one that it supersedes.
    case start(superseding: Token?)
    /// The message waits, in the place of another one that is dropped.
    case wait(replacing: Message?)
    /// The message is dropped.
    case drop
  }

  /// A lane with a message in flight, with messages that wait, or in an interval.
  @usableFromInline
  struct Occupied: Sendable {
    @usableFromInline var inFlight: Token?
    /// The messages that wait, each with its number: in a timed lane one at most.
    @usableFromInline var waiting = Fifo<(number: Int, message: Message)>()
    /// The highest priority of a message that has waited.
    @usableFromInline var urgency: UInt8 = 0
    /// The time of the last message of a debounced lane; the start of a throttled one's interval.
    @usableFromInline var began = Duration.zero
    @usableFromInline var interval = Duration.zero
    /// When the lane is to be looked at; `nil` if only a message, or the end of one, changes it.
    @usableFromInline var deadline: Duration?
    /// The timer that sleeps; it may wake up too early, never too late.
    @usableFromInline var timer: LaneTimer?

    @inlinable
    init(inFlight: Token? = nil) { self.inFlight = inFlight }
  }

  /// The messages in flight of the lanes in which none ever waits: `.latest` and `.exclusive`.
  @usableFromInline var flights: [Lane: Token] = [:]
  /// The other lanes.
  @usableFromInline var occupied: [Lane: Occupied] = [:]
  /// The number of messages that wait.
  @usableFromInline var waitingCount = 0
  /// Whether nothing is in flight, and nothing waits.
  var isEmpty: Bool { flights.isEmpty && occupied.isEmpty }
  @usableFromInline var lastNumber = 0

  @usableFromInline
  init() {}

  /// Decides what happens with a message that has arrived.
  @inlinable
  mutating func admit(
    _ message: Message, to lane: Lane, as token: Token, now: Duration = .zero,
    interval: Duration = .zero, urgency: UInt8 = 0
  ) -> Admission {
    switch lane.kind {
    case .latest: return .start(superseding: flights.updateValue(token, forKey: lane))
    case .exclusive where flights[lane] != nil: return .drop
    case .exclusive:
      flights[lane] = token
      return .start(superseding: nil)
    case .serial, .debounced, .throttled: break
    }
    lastNumber += 1
    // In place: a copy of a lane would copy all that waits in it.
    let admission = occupied[lane, default: Occupied()].admit(
      (lastNumber, message), kind: lane.kind, as: token, now: now, interval: interval,
      urgency: urgency)
    if case .wait(replacing: nil) = admission { waitingCount += 1 }
    return admission
  }

  /// Starts the next message of a lane, if one is due: a serial lane's when the one before has
  /// ended, a timed lane's at its deadline.
  @inlinable
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

  /// Ends a message.
  @inlinable
  mutating func finish(
    _ token: Token, in lane: Lane, now: Duration = .zero
  ) -> UInt8? {
    if lane.kind == .latest || lane.kind == .exclusive {
      // By its index: comparing ids is what costs most.
      guard let index = flights.index(forKey: lane), flights.values[index] == token else {
        return nil
      }
      flights.remove(at: index)
      return nil
    }
    guard let index = occupied.index(forKey: lane), occupied.values[index].inFlight == token else {
      return nil
    }
    guard !occupied.values[index].waiting.isEmpty || occupied.values[index].deadline != nil else {
      occupied.remove(at: index)
      return nil
    }
    occupied.values[index].inFlight = nil
    if lane.kind == .serial { return occupied.values[index].urgency }
    if lane.kind == .throttled, occupied.values[index].deadline == nil {
      let (began, interval) = (occupied.values[index].began, occupied.values[index].interval)
      // An end at the end of an interval belongs to this interval.
      let passed = ((now - began).attoseconds - 1) / interval.attoseconds
      let current = began + Duration(attoseconds: passed * interval.attoseconds)
      (occupied.values[index].began, occupied.values[index].deadline) = (
        current, current + interval
      )
    }
    return nil
  }

  // Frees a lane: drops its waiting messages.
  //
  // A serial lane stays occupied until its message in flight has ended, or, if the next one is due,
  // until `startNext`.
  @usableFromInline
  mutating func cancel(_ lane: Lane) -> Occupied? {
    if let token = flights.removeValue(forKey: lane) { return Occupied(inFlight: token) }
    guard let known = occupied.removeValue(forKey: lane) else { return nil }
    waitingCount -= known.waiting.count
    if lane.kind == .serial { occupied[lane] = Occupied(inFlight: known.inFlight) }
    return known
  }

  /// Drops the message that waits longest.
  @usableFromInline
  mutating func dropOldest() -> Message? {
    let numbers = occupied.compactMap { lane, known in known.waiting.first.map { (lane, $0.number) }
    }
    guard let lane = numbers.min(by: { $0.1 < $1.1 })?.0 else { return nil }
    waitingCount -= 1
    return occupied[lane]?.waiting.popFirst()?.message
  }
}

extension Lanes.Occupied {
  /// Whether nothing is in flight, nothing waits, and no interval goes on.
  @inlinable var isFree: Bool { inFlight == nil && waiting.isEmpty && deadline == nil }

  @inlinable
  mutating func admit(
    _ message: (number: Int, message: Message), kind: Lane.Kind, as token: Token, now: Duration,
    interval: Duration, urgency: UInt8
  ) -> Lanes.Admission {
    if kind != .debounced, isFree {
      inFlight = token
      if kind == .throttled { (began, deadline) = (now, now + interval) }
      (self.interval, self.urgency) = (interval, urgency)
      return .start(superseding: nil)
    }
    let replaced = kind.isTimed ? waiting.popFirst()?.message : nil
    if kind.isTimed {
      self.interval = interval
      if kind == .debounced { began = now }
      // A throttled lane without a deadline waits for the end of the message in flight.
      if kind == .debounced || deadline != nil { deadline = began + interval }
    }
    waiting.append(message)
    self.urgency = max(urgency, self.urgency)
    return .wait(replacing: replaced)
  }

  @inlinable
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
}

/// A timer that sleeps for a lane.
@usableFromInline
struct LaneTimer: Sendable {
  @usableFromInline let deadline: Duration
  let urgency: UInt8
  let entry: TaskBag.Entry?
}

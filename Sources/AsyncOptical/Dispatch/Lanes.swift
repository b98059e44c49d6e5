public import AsyncKnot

/// The state machine behind the policies: a value that can be tested without an actor.
///
/// - Complexity: every transition is O(1), amortised, except `cancel`, which is O(messages that
///   wait).
@usableFromInline
struct Lanes<Message: Sendable, Token: Sendable> {
  /// What the desk does with a message.
  @usableFromInline
  enum Admission: Sendable {
    /// The message starts now; the desk cancels the message that it supersedes.
    case start(superseding: Token?)
    /// The message starts now; the desk starts a timer for the messages after it.
    case startWithTimer(until: Duration)
    /// The message waits until those before it in the lane have ended.
    case wait
    /// The message is dropped.
    case drop
    /// The message starts later; `timer` is set if no running timer ends in time.
    case delay(timer: Duration?)
  }

  /// What follows the end of a message.
  @usableFromInline
  enum Next: Sendable {
    /// The next message of the lane is due now, and needs this priority; the lane stays occupied
    /// until `startNext`.
    case start(urgency: UInt8)
    /// A message may wait for a clock; the desk calls `resume`.
    case resume
  }

  /// A message in flight.
  @usableFromInline
  struct Flight {
    @usableFromInline let token: Token
    /// The number of the message, which differs from that of a later one.
    @usableFromInline let number: Int

    @inlinable
    init(token: Token, number: Int) {
      self.token = token
      self.number = number
    }
  }

  /// A lane with a message in flight, or with one that is due and has not begun.
  @usableFromInline
  struct Occupied {
    /// The message in flight; `nil` while the next one is due.
    @usableFromInline var inFlight: Flight?
    /// The messages that start next, in order: those that wait in a serial lane, and those of a
    /// timed lane that are due.
    @usableFromInline var waiting = Fifo<Message>()
    /// The highest priority of a message that has waited in a serial lane.
    @usableFromInline var urgency: UInt8 = 0

    @inlinable
    init(inFlight: Flight? = nil) { self.inFlight = inFlight }
  }

  /// A message in flight whose lane is not in `occupied`.
  @usableFromInline
  struct InHand {
    @usableFromInline let lane: Lane
    @usableFromInline let flight: Flight

    @inlinable
    init(lane: Lane, flight: Flight) {
      self.lane = lane
      self.flight = flight
    }
  }

  /// The message whose handler may not have suspended yet; its lane is filed when the next message
  /// comes.
  ///
  /// So a handler that does not suspend starts and ends without any hashing.
  @usableFromInline var inHand: InHand?
  @usableFromInline var occupied: [Lane: Occupied] = [:]
  @usableFromInline var timed: [Lane: TimedLane<Message>] = [:]
  @usableFromInline var lastNumber = 0

  /// The number of messages that wait: for others, for a timer, or for `startNext`.
  @usableFromInline var waitingCount = 0
  /// The number of messages that were dropped because too many waited.
  @usableFromInline var droppedCount = 0
  @usableFromInline let policy: MailboxPolicy

  @usableFromInline
  init(_ policy: MailboxPolicy = .unbounded) { self.policy = policy }

  /// Whether no message is in flight and none waits.
  var isEmpty: Bool { inHand == nil && occupied.isEmpty && timed.isEmpty }

  /// Decides what happens with a message that has arrived.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - lane: The message's lane.
  ///   - now: The time, for lanes that wait for a clock.
  ///   - interval: The quiet time of a debounced message, the interval of a throttled one.
  ///   - urgency: The priority that the message needs when it starts later.
  ///   - token: Identifies the message while it is in flight.
  /// - Returns: What to do; the number of a message that starts, to be given to `finish`; and the
  ///   dropped message, which must be released outside the lock.
  @inlinable
  mutating func admit(
    _ message: Message, to lane: Lane, now: Duration = .zero, interval: Duration = .zero,
    urgency: UInt8 = 0, as token: Token
  ) -> (admission: Admission, number: Int, dropped: Message?) {
    file()
    switch lane.kind {
    case .serial where occupied[lane] != nil: return queue(message, in: lane, urgency: urgency)
    case .exclusive where occupied[lane] != nil: return (.drop, 0, message)
    case .throttled where timed[lane] == nil && occupied[lane] == nil:
      let window = TimedLane<Message>(began: now, interval: interval, urgency: urgency)
      timed[lane] = window
      let number = start(in: lane, as: token).number
      return (.startWithTimer(until: window.deadline), number, nil)
    case .debounced, .throttled:
      return delay(message, in: lane, now: now, interval: interval, urgency: urgency)
    case .serial, .exclusive, .latest:
      let (superseded, number) = start(in: lane, as: token)
      return (.start(superseding: superseded), number, nil)
    }
  }

  /// Marks a message that has not waited as in flight.
  ///
  /// - Returns: The token of the message that it supersedes, and its number.
  @inlinable
  mutating func start(in lane: Lane, as token: Token) -> (superseded: Token?, number: Int) {
    file()
    lastNumber += 1
    let flight = Flight(token: token, number: lastNumber)
    guard !occupied.isEmpty, let place = occupied.index(forKey: lane) else {
      inHand = InHand(lane: lane, flight: flight)
      return (nil, lastNumber)
    }
    let superseded = occupied.values[place].inFlight?.token
    occupied.values[place].inFlight = flight
    return (superseded, lastNumber)
  }

  /// Marks the next message of a lane as in flight, which `finish` or `due` has announced.
  ///
  /// - Returns: The message, its number, and the token of the message that it supersedes; `nil` if
  ///   the message was cancelled.
  @inlinable
  mutating func startNext(
    in lane: Lane, as token: Token
  ) -> (message: Message, superseded: Token?, number: Int)? {
    file()
    guard let place = occupied.index(forKey: lane) else { return nil }
    let superseded = occupied.values[place].inFlight?.token
    guard let message = occupied.values[place].waiting.popFirst() else {
      if superseded == nil { occupied.remove(at: place) }
      return nil
    }
    waitingCount -= 1
    lastNumber += 1
    occupied.values[place].inFlight = Flight(token: token, number: lastNumber)
    return (message, superseded, lastNumber)
  }

  /// Marks the message with this number as ended.
  ///
  /// - Returns: What the desk does next; `nil` if no message of the lane waits.
  @inlinable
  mutating func finish(_ number: Int, in lane: Lane) -> Next? {
    if finishAlone(number) { return nil }
    guard let place = occupied.index(forKey: lane),
      occupied.values[place].inFlight?.number == number
    else { return nil }
    if occupied.values[place].waiting.isEmpty {
      occupied.remove(at: place)
      return lane.kind == .throttled ? .resume : nil
    }
    occupied.values[place].inFlight = nil
    // The next message of a timed lane was announced by `due`.
    return lane.kind == .serial ? .start(urgency: occupied.values[place].urgency) : nil
  }

  /// Queues a message behind those before it in its lane, as far as there is room.
  @inlinable
  mutating func queue(
    _ message: Message, in lane: Lane, urgency: UInt8
  ) -> (admission: Admission, number: Int, dropped: Message?) {
    let count = occupied[lane]?.waiting.count ?? 0
    var dropped: Message?
    switch policy {
    case .oldest(let limit) where count >= limit:
      droppedCount += 1
      return (.drop, 0, message)
    case .newest(let limit) where count >= limit:
      dropped = occupied[lane]?.waiting.popFirst()
      droppedCount += 1
      waitingCount -= 1
    case .unbounded, .oldest, .newest: break
    }
    occupied[lane]?.waiting.append(message)
    if let known = occupied[lane]?.urgency, known < urgency { occupied[lane]?.urgency = urgency }
    waitingCount += 1
    return (.wait, 0, dropped)
  }
}

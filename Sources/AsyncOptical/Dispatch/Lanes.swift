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

  /// A lane with a message in flight.
  @usableFromInline
  struct Occupied {
    /// The token of the message in flight.
    @usableFromInline var token: Token
    /// The number of the message in flight, which differs from that of a later one.
    @usableFromInline var number: Int
    /// The messages that start after it, in order; serial lanes only.
    @usableFromInline var waiting = Fifo<Message>()

    @inlinable
    init(token: Token, number: Int) {
      self.token = token
      self.number = number
    }
  }

  /// A message in flight whose lane is not in `occupied`.
  @usableFromInline
  struct InHand {
    @usableFromInline let lane: Lane
    @usableFromInline let token: Token
    @usableFromInline let number: Int

    @inlinable
    init(lane: Lane, token: Token, number: Int) {
      self.lane = lane
      self.token = token
      self.number = number
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

  /// The number of messages that wait, for others or for a timer.
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
  ///   - urgency: The priority at which a timer for the message would run.
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
    case .serial where occupied[lane] != nil: return queue(message, in: lane)
    case .exclusive where occupied[lane] != nil: return (.drop, 0, message)
    case .throttled where timed[lane] == nil:
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

  /// Marks a message as in flight.
  ///
  /// - Returns: The token of the message that it supersedes, and its number.
  @inlinable
  mutating func start(in lane: Lane, as token: Token) -> (superseded: Token?, number: Int) {
    file()
    lastNumber += 1
    guard !occupied.isEmpty, let place = occupied.index(forKey: lane) else {
      inHand = InHand(lane: lane, token: token, number: lastNumber)
      return (nil, lastNumber)
    }
    let known = occupied.values[place].token
    occupied.values[place].token = token
    occupied.values[place].number = lastNumber
    // The message before in a serial lane has ended, so it is not superseded.
    return (lane.kind == .serial ? nil : known, lastNumber)
  }

  /// Marks the message with this number as ended.
  ///
  /// - Returns: The message that starts next; the lane stays occupied until it starts.
  @inlinable
  mutating func finish(_ number: Int, in lane: Lane) -> Message? {
    if finishAlone(number) { return nil }
    guard let place = occupied.index(forKey: lane), occupied.values[place].number == number else {
      return nil
    }
    if let next = occupied.values[place].waiting.popFirst() {
      waitingCount -= 1
      return next
    }
    occupied.remove(at: place)
    return nil
  }

  /// Moves the message in hand into `occupied`: another message has come, so its handler may be
  /// suspended.
  @inlinable
  mutating func file() {
    guard let lone = inHand.take() else { return }
    occupied[lone.lane] = Occupied(token: lone.token, number: lone.number)
  }

  /// Marks a message as in flight if no lane is occupied, without hashing.
  ///
  /// - Returns: The message's number; `nil` if the lanes must be looked at.
  @inlinable
  mutating func startAlone(in lane: Lane, as token: Token) -> Int? {
    guard inHand == nil, occupied.isEmpty, !lane.kind.isTimed else { return nil }
    lastNumber += 1
    inHand = InHand(lane: lane, token: token, number: lastNumber)
    return lastNumber
  }

  /// Ends the message in hand.
  ///
  /// - Returns: Whether the message in hand has this number.
  @inlinable
  mutating func finishAlone(_ number: Int) -> Bool {
    guard inHand?.number == number else { return false }
    inHand = nil
    return true
  }

  /// Queues a message behind those before it in its lane, as far as there is room.
  @inlinable
  mutating func queue(
    _ message: Message, in lane: Lane
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
    waitingCount += 1
    return (.wait, 0, dropped)
  }
}

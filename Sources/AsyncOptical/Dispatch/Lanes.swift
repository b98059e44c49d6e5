public import AsyncKnot

/// The state machine behind the policies: a value, so that it can be judged on its own.
///
/// - Complexity: every transition is O(1), amortised.
@usableFromInline
struct Lanes<Message: Sendable, Token: Sendable> {
  /// What is to be done with a message.
  @usableFromInline
  enum Admission: Sendable {
    /// It starts now; the one it takes the place of is to be cancelled.
    case start(superseding: Token?)
    /// It starts now, and a timer is needed for those after it.
    case startWithTimer(until: Duration)
    /// It starts when those before it have ended.
    case wait
    /// Nobody will start it.
    case drop
    /// It starts later; a timer is needed where none runs that ends in time.
    case delay(timer: Duration?)
  }

  /// A lane with a message in flight.
  @usableFromInline
  struct Occupied {
    /// The one in flight; the number tells it from a later one.
    @usableFromInline var token: Token
    @usableFromInline var number: Int
    /// Those that start after it, in order; serial lanes only.
    @usableFromInline var waiting = Fifo<Message>()

    @inlinable
    init(token: Token, number: Int) {
      self.token = token
      self.number = number
    }
  }

  /// A message in flight whose lane is not filed.
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

  /// The message whose handler may not have suspended yet; its lane is not filed before the next one comes.
  ///
  /// So a handler that does not suspend comes and goes without any hashing.
  @usableFromInline var inHand: InHand?
  @usableFromInline var occupied: [Lane: Occupied] = [:]
  @usableFromInline var timed: [Lane: TimedLane<Message>] = [:]
  @usableFromInline var lastNumber = 0

  /// How many messages wait, for others or for a timer.
  @usableFromInline var waitingCount = 0
  /// How many messages were dropped because too many waited.
  @usableFromInline var droppedCount = 0
  @usableFromInline let policy: MailboxPolicy

  @usableFromInline
  init(_ policy: MailboxPolicy = .unbounded) { self.policy = policy }

  /// Whether nothing is known of any lane.
  var isEmpty: Bool { inHand == nil && occupied.isEmpty && timed.isEmpty }

  /// Decides about a message that has arrived.
  ///
  /// - Parameters:
  ///   - message: What has arrived.
  ///   - lane: Where it belongs.
  ///   - now: The time, for lanes that wait for a clock.
  ///   - interval: The quiet time of a debounced message, the interval of a throttled one.
  ///   - urgency: The priority at which a timer for it would run.
  ///   - token: What the message will be known by when it starts.
  /// - Returns: What to do, the number by which a message that starts ends, and a message that is
  ///   dropped, which must die outside of the lock.
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

  /// Puts a message in flight.
  ///
  /// - Returns: The token of the one it supersedes, and the number by which it ends.
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
    // A serial lane is handed on: the one before has ended.
    return (lane.kind == .serial ? nil : known, lastNumber)
  }

  /// Notes that the message with this number has ended.
  ///
  /// - Returns: The message that starts next; its lane stays taken until it does.
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

  /// Files the lane of the message in hand: another one has come, so its handler may be suspended.
  @inlinable
  mutating func file() {
    guard let lone = inHand.take() else { return }
    occupied[lone.lane] = Occupied(token: lone.token, number: lone.number)
  }

  /// Puts a message in flight whose lane is free because no lane is taken.
  ///
  /// - Returns: The number by which it ends; `nil` where the lanes have to be looked at.
  @inlinable
  mutating func startAlone(in lane: Lane, as token: Token) -> Int? {
    guard inHand == nil, occupied.isEmpty, !lane.kind.isTimed else { return nil }
    lastNumber += 1
    inHand = InHand(lane: lane, token: token, number: lastNumber)
    return lastNumber
  }

  /// Ends a message whose lane was never filed.
  ///
  /// - Returns: Whether it was that one.
  @inlinable
  mutating func finishAlone(_ number: Int) -> Bool {
    guard inHand?.number == number else { return false }
    inHand = nil
    return true
  }

  /// Lets a message wait for those before it, as far as there is room.
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

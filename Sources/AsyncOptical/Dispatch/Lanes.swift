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
    /// It starts when those before it have ended.
    case wait
    /// Nobody will start it.
    case drop
    /// It starts after a quiet time; a timer is needed where none runs yet.
    case delay(needsTimer: Bool)
  }

  /// What a timer does when it has slept.
  @usableFromInline
  enum Due: Sendable {
    case start(Message)
    /// Something was sent in the meantime.
    case sleep(until: Duration)
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

  /// A lane that waits to be quiet.
  @usableFromInline
  struct Delayed {
    @usableFromInline var message: Message
    @usableFromInline var deadline: Duration

    @inlinable
    init(message: Message, deadline: Duration) {
      self.message = message
      self.deadline = deadline
    }
  }

  @usableFromInline var occupied: [Lane: Occupied] = [:]
  @usableFromInline var delayed: [Lane: Delayed] = [:]
  @usableFromInline var lastNumber = 0

  /// How many messages wait, for others or for quiet.
  @usableFromInline var waitingCount = 0

  @inlinable
  init() {}

  /// Whether nothing is known of any lane.
  var isEmpty: Bool { occupied.isEmpty && delayed.isEmpty }

  /// Decides about a message that has arrived.
  ///
  /// - Parameters:
  ///   - message: What has arrived.
  ///   - lane: Where it belongs.
  ///   - deadline: When a debounced message is due.
  ///   - token: What the message will be known by when it starts.
  /// - Returns: What to do, and the number by which a message that starts ends.
  @inlinable
  mutating func admit(
    _ message: Message, to lane: Lane, deadline: @autoclosure () -> Duration, as token: Token
  ) -> (admission: Admission, number: Int) {
    switch lane.kind {
    case .serial where occupied[lane] != nil:
      occupied[lane]?.waiting.append(message)
      waitingCount += 1
      return (.wait, 0)
    case .exclusive where occupied[lane] != nil:
      return (.drop, 0)
    case .debounced:
      let known = delayed.updateValue(Delayed(message: message, deadline: deadline()), forKey: lane)
      if known == nil { waitingCount += 1 }
      return (.delay(needsTimer: known == nil), 0)
    case .serial, .exclusive, .latest:
      let (superseded, number) = start(in: lane, as: token)
      return (.start(superseding: superseded), number)
    }
  }

  /// Puts a message in flight.
  ///
  /// - Returns: Whom it supersedes, and the number by which it ends.
  @inlinable
  mutating func start(in lane: Lane, as token: Token) -> (superseded: Token?, number: Int) {
    lastNumber += 1
    guard let place = occupied.index(forKey: lane) else {
      occupied[lane] = Occupied(token: token, number: lastNumber)
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

  /// Answers a timer that has slept until `now`; a message that starts counts as waiting until it is sent.
  @inlinable
  mutating func due(in lane: Lane, at now: Duration) -> Due? {
    guard let known = delayed[lane] else { return nil }
    guard known.deadline <= now else { return .sleep(until: known.deadline) }
    delayed[lane] = nil
    return .start(known.message)
  }
}

public import AsyncKnot
public import Synchronization

/// The messages that senders have added and no runner has fetched.
@usableFromInline
struct IncomingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  /// The messages that a bounded mailbox must not drop, each with the number of other messages that
  /// were added before it.
  @usableFromInline var kept = Fifo<(message: Message, place: Int)>()
  @usableFromInline var passed = 0
  /// The highest priority among their senders.
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  /// The priorities of the runners that are queued or have begun without a message, ascending: a
  /// sender starts a runner only where its priority is above them all.
  @usableFromInline var runners: [TaskPriority] = []
  @usableFromInline var dropped = 0

  @inlinable
  init() {}

  @inlinable var count: Int { messages.count + kept.count }

  @inlinable
  mutating func add(
    _ message: Message, at priority: TaskPriority, _ policy: MailboxPolicy, mustKeep: Bool,
    besides others: Int
  ) -> (needsRunner: Bool, dropped: Message?) {
    var dropped: Message?
    switch policy {
    case .oldest where mustKeep, .newest where mustKeep:
      kept.append((message, passed + messages.count))
    case .oldest(let limit) where messages.count + others >= limit:
      self.dropped += 1
      return (false, message)
    case .newest(let limit) where messages.count + others >= limit && !messages.isEmpty:
      self.dropped += 1
      dropped = popDroppable()
      fallthrough
    case .unbounded, .oldest, .newest: messages.append(message)
    }
    if priority.rawValue > urgency.rawValue { urgency = priority }
    if let highest = runners.last, highest.rawValue >= priority.rawValue { return (false, dropped) }
    runners.append(priority)
    return (true, dropped)
  }

  @inlinable
  mutating func popFirst() -> Message? {
    guard let first = kept.first, first.place <= passed else { return popDroppable() }
    return kept.popFirst()?.message
  }

  @inlinable
  mutating func popDroppable() -> Message? {
    guard let message = messages.popFirst() else { return nil }
    passed += 1
    return message
  }

  /// Updates `runners` after a runner has begun, and decides whether it needs a successor: not if a
  /// queued runner of higher priority takes its place.
  @inlinable
  mutating func settle(
    _ runner: Runner, after found: RunnerTask<Message>, isLast: Bool
  ) -> RunnerTask<Message> {
    switch found {
    case .message(let message, _) where runners.last == runner.priority:
      return .message(message, needsSuccessor: true)
    case .nothing where !isLast, .cancelled: break
    case .message, .relieved, .nothing: runners.removeAll { $0 == runner.priority }
    }
    return found
  }
}

/// The messages that runners have fetched and not begun; only the actor uses it.
@usableFromInline
struct OutgoingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  /// The current runner; a runner that finds another one here was relieved and stops.
  @usableFromInline var runner: Runner?
  @usableFromInline var inFlight = 0

  @inlinable
  init() {}

  /// Fetches the incoming messages if none is left here; a bounded mailbox fetches one, so that its
  /// limit counts all messages that wait.
  @inlinable
  mutating func refill(from incoming: inout IncomingMail<Message>, _ policy: MailboxPolicy) {
    guard messages.isEmpty else { return }
    urgency = incoming.urgency
    guard case .unbounded = policy else {
      if let message = incoming.popFirst() { messages.append(message) }
      if incoming.count == 0 { incoming.urgency = TaskPriority(rawValue: 0) }
      return
    }
    swap(&messages, &incoming.messages)
    incoming.urgency = TaskPriority(rawValue: 0)
  }

  /// Takes the next message for a runner, unless that is cancelled: a cancellation is stored before any
  /// later message is added, so, asked now, no cancelled runner takes a later message.
  @inlinable
  mutating func take(for runner: Runner) -> RunnerTask<Message> {
    guard !messages.isEmpty else { return .nothing }
    if runner.isCancelled.load(ordering: .acquiring) { return .cancelled }
    guard runner.priority.rawValue >= urgency.rawValue, let message = messages.popFirst() else {
      return .relieved
    }
    inFlight += 1
    return .message(message, needsSuccessor: false)
  }
}

@usableFromInline
enum RunnerTask<Message> {
  /// `needsSuccessor` is set for a runner's first message if no runner of higher priority is queued.
  case message(Message, needsSuccessor: Bool)
  case nothing
  /// The runner must stop: another one is current, or the messages need one of higher priority.
  case relieved
  /// The runner was cancelled; if it has handled nothing yet, it queues another in its place.
  case cancelled
}

extension OutgoingMail: Sendable where Message: Sendable {}
extension IncomingMail: Sendable where Message: Sendable {}

public import AsyncKnot
public import Synchronization

/// The messages that senders have added and no runner has fetched: one of the two values of a
/// mailbox.
@usableFromInline
struct IncomingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  // The messages that a bounded mailbox must not drop, apart from the others.
  //
  // The place of such a message is the number of other messages that were added before it.
  @usableFromInline var kept = Fifo<(message: Message, place: Int)>()
  /// The number of messages that a bounded mailbox has taken from `messages`.
  @usableFromInline var passed = 0
  /// The highest priority among the senders of these messages.
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  // The priorities of the runners that are queued or look for messages, ascending: a sender starts
  // a runner only where its priority is above them all.
  //
  // A runner that has found messages is not among them; its successor is.
  @usableFromInline var runners: [TaskPriority] = []
  /// The number of messages that a bounded mailbox has dropped.
  @usableFromInline var dropped = 0

  @inlinable
  init() {}

  /// The number of messages.
  @inlinable var count: Int { messages.count + kept.count }

  /// Adds a message.
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

  /// Takes the next message of a bounded mailbox.
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

  /// Updates `runners` after a runner looked for messages, and decides whether it needs a
  /// successor: not if a queued runner of higher priority takes its place.
  @inlinable
  mutating func settle(
    _ runner: Runner, after found: RunnerTask<Message>, _ moment: RunnerMoment
  ) -> RunnerTask<Message> {
    switch found {
    case .message(let message, _) where runners.last == runner.priority:
      return .message(message, needsSuccessor: true)
    case .nothing where moment == .looking, .cancelled: break
    case .message, .relieved, .nothing: runners.removeAll { $0 == runner.priority }
    }
    return found
  }
}

/// The messages that runners have fetched and not begun: the other value of a mailbox.
///
/// Only the actor uses this value, which the compiler cannot know, so its lock is never contended
/// by senders.
@usableFromInline
struct OutgoingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  /// The highest priority among the senders of these messages.
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  /// The current runner; a runner that finds another one here was relieved and stops.
  @usableFromInline var runner: Runner?
  /// The number of messages that were begun and have not ended.
  @usableFromInline var inFlight = 0

  @inlinable
  init() {}

  // Fetches the incoming messages if none is left here.
  //
  // A bounded mailbox fetches one message at a time, so that its limit counts all messages that
  // wait.
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

  /// Takes the next message for a runner, if the runner is not cancelled and its priority is high
  /// enough.
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

/// What a runner did before it asks for a message.
@usableFromInline
enum RunnerMoment: Sendable {
  /// The runner has just started.
  case looking
  /// The runner found no message, yielded, and stops if there still is none.
  case stopping
  /// The runner has handled a message; if there is no other, it stops and its successor continues.
  case handled
}

/// The answer to a runner that asks for a message.
@usableFromInline
enum RunnerTask<Message> {
  /// A message. `needsSuccessor` is set for a runner's first message if no runner of higher
  /// priority is queued.
  case message(Message, needsSuccessor: Bool)
  /// There is no message now.
  case nothing
  /// The runner must stop: another one is current, or the messages need a runner of higher
  /// priority.
  case relieved
  /// The runner was cancelled. If it has handled nothing yet, it queues a new runner in its place.
  case cancelled
}

extension OutgoingMail: Sendable where Message: Sendable {}
extension IncomingMail: Sendable where Message: Sendable {}

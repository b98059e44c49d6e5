public import Synchronization

/// What senders have left for the actor: one of the two values behind a mailbox.
@usableFromInline
struct IncomingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  /// The highest priority of those who sent them.
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  /// The priorities at which a runner is on its way, or looks for messages.
  ///
  /// A runner that has found messages is not among them; its successor is.
  @usableFromInline var runners = Priorities()
  /// How many messages a bounded mailbox has dropped.
  @usableFromInline var dropped = 0

  @inlinable
  init() {}

  /// Adds a message.
  ///
  /// - Returns: Whether a runner is to be started at the sender's priority, and the message that is
  ///   dropped, which must die outside of the lock.
  @inlinable
  mutating func add(
    _ message: Message, at priority: TaskPriority, _ policy: MailboxPolicy
  ) -> (needsRunner: Bool, dropped: Message?) {
    var dropped: Message?
    switch policy {
    case .unbounded: break
    case .oldest(let limit) where messages.count >= limit:
      self.dropped += 1
      return (false, message)
    case .newest(let limit) where messages.count >= limit:
      self.dropped += 1
      dropped = messages.popFirst()
    case .oldest, .newest: break
    }
    messages.append(message)
    if priority.rawValue > urgency.rawValue { urgency = priority }
    guard !runners.reach(priority) else { return (false, dropped) }
    runners.insert(priority)
    return (true, dropped)
  }

  /// Notes what a runner that looked for messages found, and says whether it needs a successor.
  @inlinable
  mutating func account(
    for found: RunnerTask<Message>, by runner: Runner, _ moment: RunnerMoment
  ) -> RunnerTask<Message> {
    switch found {
    case .message(let message, _):
      // A more urgent runner that is on its way takes over as a successor would.
      guard runners.exceed(runner.priority) else { return .message(message, needsSuccessor: true) }
      runners.remove(runner.priority)
      return found
    case .relieved: runners.remove(runner.priority)
    case .nothing: if case .stopping = moment { runners.remove(runner.priority) }
    case .cancelled: break
    }
    return found
  }
}

/// What a runner takes messages from: the other value behind a mailbox.
///
/// Only the actor touches it, though the compiler cannot see that: its lock is never contended.
@usableFromInline
struct OutgoingMail<Message> {
  @usableFromInline var messages = Fifo<Message>()
  /// The highest priority of those who sent them.
  @usableFromInline var urgency = TaskPriority(rawValue: 0)
  /// The runner at work; one that finds another here has been relieved.
  @usableFromInline var runner: Runner?
  /// How many messages were begun and have not ended.
  @usableFromInline var inFlight = 0

  @inlinable
  init() {}

  /// Takes over what has come in, where nothing is left here.
  ///
  /// A bounded mailbox takes one message at a time, so that its limit counts all that wait.
  @inlinable
  mutating func refill(from incoming: inout IncomingMail<Message>, _ policy: MailboxPolicy) {
    guard messages.isEmpty else { return }
    urgency = incoming.urgency
    guard case .unbounded = policy else {
      if let message = incoming.messages.popFirst() { messages.append(message) }
      if incoming.messages.isEmpty { incoming.urgency = TaskPriority(rawValue: 0) }
      return
    }
    swap(&messages, &incoming.messages)
    incoming.urgency = TaskPriority(rawValue: 0)
  }

  /// Takes the next message for a runner, if it may have it.
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

/// What a runner has done before it asks for a message.
@usableFromInline
enum RunnerMoment: Sendable {
  /// Nothing yet.
  case looking
  /// It found none a moment ago, and stops the relay where there still is none.
  case stopping
  /// It has handled a message; what comes next is its successor's where it finds nothing.
  case handled
}

/// What there is for a runner.
@usableFromInline
enum RunnerTask<Message> {
  /// A message; before the first one a successor is to be queued, unless another runner is on its way.
  case message(Message, needsSuccessor: Bool)
  /// Nothing at the moment.
  case nothing
  /// Nothing any more: another runner is at work, or has to be, as a sender's priority is higher.
  case relieved
  /// It was cancelled; one that has handled nothing yet leaves its place to a fresh one.
  case cancelled
}

extension OutgoingMail: Sendable where Message: Sendable {}
extension IncomingMail: Sendable where Message: Sendable {}

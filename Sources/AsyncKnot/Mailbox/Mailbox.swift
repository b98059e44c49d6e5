public import Synchronization

/// Messages for one actor: sent synchronously from anywhere, handled in the order they were sent.
///
/// Handlers *start* in order; one that suspends lets the next one start. The trick that keeps this cheap
/// is a relay. A runner handles message after message without any task of its own for each. Before its
/// first message it queues a successor on the actor. The actor gets to the successor only when the
/// runner has suspended in a handler, or is through; then the successor goes on with the next message.
/// So a burst of handlers that do not suspend costs two tasks, however long it is.
@usableFromInline
package final class Mailbox<Message: Sendable>: Sendable {
  @usableFromInline
  struct Incoming {
    @usableFromInline var messages = Fifo<Message>()
    @usableFromInline var sent = 0
    /// Whether a runner is on its way, or at work.
    @usableFromInline var isRunning = false
  }

  /// What only the actor touches, though the compiler cannot see that: the lock is never contended.
  @usableFromInline
  struct Outgoing {
    @usableFromInline var messages = Fifo<Message>()
    /// The runner at work; one that finds another here has been relieved.
    @usableFromInline var runner: Runner?
  }

  @usableFromInline let incoming = Mutex(Incoming())
  /// Keeps what senders write out of the cache line that the actor works in; half the time of a message.
  private let gap = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  @usableFromInline let outgoing = Mutex(Outgoing())
  @usableFromInline let handled = Atomic(0)

  package init() {}

  /// The runner that is at work, to be asked for by a handler before it suspends.
  ///
  /// Cancelling it later cancels that handler alone: a runner whose handler suspends is relieved.
  @inlinable package var runner: Runner? { outgoing.withLock { $0.runner } }

  /// How many messages were sent and are not counted as handled.
  package var count: Int {
    let handled = handled.load(ordering: .acquiring)
    return incoming.withLock { $0.sent } - handled
  }

  /// Counts a message as handled: the last that its handler does, or the last before it says so.
  @inlinable
  package func countHandled() { handled.add(1, ordering: .releasing) }

  /// Adds a message; starts a runner when none is at work.
  ///
  /// - Parameters:
  ///   - message: What is sent.
  ///   - holder: The actor that handles it, held weakly until a runner starts.
  ///   - bag: What cancels the handlers that are at work; the messages that wait are handled all the same.
  ///   - handle: The handler; the same for each message of a mailbox.
  @inlinable
  package func send<Holder: Actor>(
    _ message: Message, to holder: Holder, in bag: @autoclosure () -> TaskBag? = nil,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) {
    let isFirst = incoming.withLock { incoming in
      incoming.messages.append(message)
      incoming.sent += 1
      defer { incoming.isRunning = true }
      return !incoming.isRunning
    }
    guard isFirst else { return }
    Spawn.preemptionPoint()
    queueRunner(on: holder, in: bag(), handle)
  }

  @inlinable
  func queueRunner<Holder: Actor>(
    on holder: Holder, in bag: TaskBag?,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) {
    let runner = Runner()
    let operation = { @Sendable [weak holder, weak bag] in
      guard let holder else { return }
      await self.run(runner, on: holder, in: bag, handle)
    }
    if let bag {
      let entry = bag.add(operation) { runner.isCancelled.store(true, ordering: .relaxed) }
      runner.attach(entry.cancel)
    } else {
      runner.attach(Spawn.task(operation).cancel)
    }
  }

  /// Lets a runner do its part of the relay.
  @inlinable
  func run<Holder: Actor>(
    _ runner: Runner, on holder: isolated Holder, in bag: TaskBag?,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) async {
    // A message must not find itself cancelled before it is handled.
    if Task.isCancelled { return queueRunner(on: holder, in: bag, handle) }
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      await relay(by: runner, on: holder, in: bag, handle)
    } onCancel: {
      runner.isCancelled.store(true, ordering: .relaxed)
    }
  }

  /// Handles messages until none is left, or until a successor has taken over.
  @inlinable
  func relay<Holder: Actor>(
    by runner: Runner, on holder: isolated Holder, in bag: TaskBag?,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) async {
    outgoing.withLock { $0.runner = runner }
    var found = next(for: runner, .looking)
    if case .nothing = found {
      // A sender at work has more by then; starting the relay anew for each message would be slow.
      await Task.yield()
      found = next(for: runner, .stopping)
    }
    if case .nothing = found { return }
    queueRunner(on: holder, in: bag, handle)
    while case .message(let message) = found {
      await handle(holder, message)
      found = next(for: runner, .handled)
    }
  }

  /// What a runner has done before it asks for a message.
  @usableFromInline
  enum Moment: Sendable {
    /// Nothing yet.
    case looking
    /// It found none a moment ago, and stops the relay where there still is none.
    case stopping
    /// It has handled a message; stopping is left to the successor it has queued.
    case handled
  }

  /// What there is for a runner.
  @usableFromInline
  enum Next {
    case message(Message)
    case nothing
    /// Something, but for another runner: this one was relieved, or cancelled.
    case elsewhere
  }

  /// The next message, for the runner at work.
  ///
  /// The relay is stopped in the critical section that found nothing. A message that was sent after the
  /// runner was cancelled is left to the next one: to see it is to see the cancellation.
  @inlinable
  func next(for runner: Runner, _ moment: Moment) -> Next {
    outgoing.withLock { outgoing in
      if case .handled = moment, outgoing.runner !== runner { return .elsewhere }
      if outgoing.messages.isEmpty {
        incoming.withLock { incoming in
          swap(&incoming.messages, &outgoing.messages)
          if case .stopping = moment, outgoing.messages.isEmpty { incoming.isRunning = false }
        }
      }
      if !outgoing.messages.isEmpty, runner.isCancelled.load(ordering: .relaxed) {
        return .elsewhere
      }
      return outgoing.messages.popFirst().map { .message($0) } ?? .nothing
    }
  }
}

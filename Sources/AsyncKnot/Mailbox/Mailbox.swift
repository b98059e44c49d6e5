public import Synchronization

/// Messages for one actor: sent synchronously from anywhere, handled in the order they were sent.
///
/// Handlers *start* in order; one that suspends lets the next one start. The trick that keeps this cheap
/// is a relay. A runner handles message after message without any task of its own for each. Before its
/// first message it queues a successor on the actor. The actor gets to the successor only when the
/// runner has suspended in a handler, or is through; then the successor goes on with the next message.
/// So a burst of handlers that do not suspend costs two tasks, however long it is.
///
/// A runner has the priority of the sender that started it, and none of its task-local values. Where a
/// sender's priority is higher than that of every runner on its way, it starts another one (F2); a
/// runner takes no message of a sender whose priority is higher than its own.
@usableFromInline
package final class Mailbox<Message: Sendable>: Sendable {
  @usableFromInline let incoming = Mutex(IncomingMail<Message>())
  /// Without this padding senders and actor write to one cache line; measured 250 ns a message instead of 110.
  private let gap = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  @usableFromInline let outgoing = Mutex(OutgoingMail<Message>())
  @usableFromInline let policy: MailboxPolicy

  package init(_ policy: MailboxPolicy = .unbounded) {
    policy.checkRoom()
    self.policy = policy
  }

  /// Tells this mailbox from others.
  @inlinable package var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// How many messages wait or are being handled.
  package var count: Int {
    outgoing.withLock { outgoing in
      outgoing.messages.count + outgoing.inFlight + incoming.withLock { $0.messages.count }
    }
  }

  /// How many messages were dropped because the mailbox was full.
  package var droppedCount: Int { incoming.withLock { $0.dropped } }

  /// Adds a message; starts a runner where none is on its way that is as urgent as the sender.
  ///
  /// - Parameters:
  ///   - message: What is sent.
  ///   - holder: The actor that handles it, held weakly until a runner starts.
  ///   - bag: What cancels the handlers that are at work; the messages that wait are handled all the same.
  ///   - handler: Handles it; the same for each message of a mailbox.
  @inlinable
  package func send<Handler: MailHandler>(
    _ message: Message, to holder: Handler.Holder, in bag: @autoclosure () -> TaskBag? = nil,
    by handler: Handler
  ) where Handler.Mail == Message {
    let priority = Task.currentPriority
    let (needsRunner, dropped) = incoming.withLock { $0.add(message, at: priority, policy) }
    withExtendedLifetime(dropped) {}
    if needsRunner { queueRunner(at: priority, on: holder, in: bag(), handler) }
  }

  // Not inlined: the references that it makes must not cost the sends that need no runner.
  @inlinable @inline(never)
  func queueRunner<Handler: MailHandler>(
    at priority: TaskPriority, on holder: Handler.Holder, in bag: TaskBag?, _ handler: Handler
  ) where Handler.Mail == Message {
    Spawn.preemptionPoint()
    let runner = Runner(for: id, at: priority)
    let operation = { @Sendable [weak holder, weak bag] in
      guard let holder else { return }
      await self.run(runner, on: holder, in: bag, handler)
    }
    if let bag {
      let entry = bag.addApart(priority: priority, operation) {
        runner.isCancelled.store(true, ordering: .releasing)
      }
      runner.attach(entry.cancel)
    } else {
      let task = Spawn.apart(priority: priority, forSenders: true, operation)
      runner.attach(task.cancel)
    }
  }

  /// Lets a runner do its part of the relay.
  @inlinable
  func run<Handler: MailHandler>(
    _ runner: Runner, on holder: isolated Handler.Holder, in bag: TaskBag?, _ handler: Handler
  ) async where Handler.Mail == Message {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      await Dispatch.local.withValue(Dispatch(runner: runner)) {
        await relay(by: runner, on: holder, in: bag, handler)
      }
    } onCancel: {
      runner.isCancelled.store(true, ordering: .releasing)
    }
  }

  /// Handles messages until none is left, until a successor has taken over, or until its slice is over.
  @inlinable
  func relay<Handler: MailHandler>(
    by runner: Runner, on holder: isolated Handler.Holder, in bag: TaskBag?, _ handler: Handler
  ) async where Handler.Mail == Message {
    var found = next(for: runner, .looking)
    if case .nothing = found {
      // A sender at work has more by then; starting the relay anew for each message would be slow.
      await Task.yield()
      found = next(for: runner, .stopping)
    }
    switch found {
    case .message(_, needsSuccessor: true), .cancelled:
      queueRunner(at: runner.priority, on: holder, in: bag, handler)
    case .message, .nothing, .relieved: break
    }
    var slice = Slice()
    while case .message(let message, _) = found {
      await handler.handle(message, by: runner, on: holder)
      found = slice.isOver() ? handOver() : next(for: runner, .handled)
    }
    handler.runnerHasEnded()
  }

  /// Ends the part of a runner whose slice is over: its successor is behind those who wait for the actor.
  @inlinable
  func handOver() -> RunnerTask<Message> {
    outgoing.withLock { $0.inFlight -= 1 }
    return .relieved
  }

  /// The next message, if there is one for this runner.
  ///
  /// The relay is stopped in the critical section that found nothing. Whether the runner was cancelled is
  /// asked after the messages were fetched. The cancellation is stored before a later message is added
  /// under the lock, so a runner that sees the message also sees the cancellation, and leaves it.
  @inlinable
  func next(for runner: Runner, _ moment: RunnerMoment) -> RunnerTask<Message> {
    outgoing.withLock { outgoing in
      if case .handled = moment {
        outgoing.inFlight -= 1
        guard outgoing.runner === runner else { return .relieved }
        if outgoing.messages.isEmpty { incoming.withLock { outgoing.refill(from: &$0, policy) } }
        return outgoing.take(for: runner)
      }
      // One that was suspended in a handler when this runner came is relieved, even if there is nothing.
      outgoing.runner = runner
      return incoming.withLock { incoming in
        outgoing.refill(from: &incoming, policy)
        let found: RunnerTask<Message> = outgoing.take(for: runner)
        return incoming.account(for: found, by: runner, moment)
      }
    }
  }
}

public import AsyncKnot

/// The relay of runners, which handles the messages of the mailbox without a task for each.
///
/// Handlers *start* in order; while one is suspended, the next one may start. A runner handles
/// message after message. Before its first message it queues a successor on the actor. The actor
/// gets to the successor only when the runner has suspended in a handler or has stopped; then the
/// successor handles the next message. So a burst of handlers that do not suspend costs two tasks,
/// whatever its length.
///
/// A runner has the priority of the sender that started it, and none of that sender's task-local
/// values. A sender whose priority is higher than that of every queued runner starts another runner
/// (F2). A runner takes no message of a sender whose priority is higher than its own.
extension Desk {
  // Not inlined: a send that needs no runner must not pay for the references that this method
  // makes.
  @inlinable @inline(never)
  func queueRunner(at priority: TaskPriority, on holder: Holder) {
    Spawn.preemptionPoint()
    let runner = Runner(for: number, at: priority)
    let entry = holder.bag.addApart(priority: priority) { [self, weak holder] in
      guard let holder else { return }
      await run(runner, on: holder)
    } cancelledEarly: {
      runner.revoke()
    }
    runner.attach(entry.cancel)
  }

  /// Runs a runner's part of the relay; cancelling its task revokes the message at work.
  @inlinable
  func run(_ runner: Runner, on holder: isolated Holder) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      await Errand.local.withValue(runner.shared) { await relay(by: runner, on: holder) }
    } onCancel: {
      runner.revoke()
    }
  }

  /// Handles messages until none is left, a successor has taken over, or the slice is over.
  @inlinable
  func relay(by runner: Runner, on holder: isolated Holder) async {
    var found = mailbox.next(for: runner, .looking)
    if case .nothing = found {
      // A sender that is still sending has added more after the yield; a new relay for each message
      // is slow.
      await Task.yield()
      found = mailbox.next(for: runner, .stopping)
    }
    switch found {
    case .message(_, needsSuccessor: true), .cancelled:
      queueRunner(at: runner.priority, on: holder)
    case .message, .nothing, .relieved: break
    }
    var slice = Slice()
    while case .message(let mail, _) = found {
      await handle(mail, by: runner, on: holder)
      found = slice.isOver() ? mailbox.relieve() : mailbox.next(for: runner, .handled)
    }
    if !listeners.isEmpty, unfinishedCount == 0 { listeners.tell(.settled) }
  }
}

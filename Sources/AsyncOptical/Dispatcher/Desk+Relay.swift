public import AsyncKnot
public import Synchronization

/// The relay of runners: without a task for each message.
///
/// Before its first message a runner queues a successor on the actor, which begins when the runner has
/// suspended in a handler or has stopped. A runner has the priority of the sender that started it, and
/// takes no message of a sender with a higher one, who starts another runner (F2).
extension Desk {
  // Not inlined: a send that needs no runner must not pay for the references made here.
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

  @inlinable
  func relay(by runner: Runner, on holder: isolated Holder) async {
    var found = mailbox.begin(runner)
    if case .nothing = found {
      // A sender that is still sending has added more by then; a relay for each message is slow.
      await Task.yield()
      found = mailbox.begin(runner, isLast: true)
    }
    switch found {
    case .message(_, needsSuccessor: true), .cancelled:
      queueRunner(at: runner.priority, on: holder)
    case .message, .nothing, .relieved: break
    }
    var slice = Slice()
    while case .message(let mail, _) = found {
      await handle(mail, by: runner, on: holder)
      found = mailbox.next(for: runner, isOver: slice.isOver())
    }
    if hasListeners.load(ordering: .relaxed), unfinishedCount == 0 { tell(nil) }
  }
}

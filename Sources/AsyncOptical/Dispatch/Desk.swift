public import AsyncKnot
public import Synchronization

/// Takes what is sent to one holder, has it carried out as the policies say, and logs the transitions.
///
/// It is kept with the holder's knot and goes with the holder. It never holds the holder.
@usableFromInline
final class Desk<Holder: Dispatcher>: MailHandler {
  /// What goes through the mailbox.
  @usableFromInline
  enum Mail: Sendable {
    /// A message whose policy is still to be asked for.
    case sent(Holder.Dispatched)
    /// A message that has waited for its turn.
    indirect case due(Holder.Dispatched, Lane)
    /// Everything with this id is to be cancelled.
    indirect case cancel(any Hashable & Sendable)
  }

  @usableFromInline let mailbox: Mailbox<Mail>
  /// The state machine of the policies.
  ///
  /// The `==` and `hash(into:)` of users' ids run while this lock is held. They must not call `send` or
  /// `commit` on the same holder: the lock is not recursive.
  @usableFromInline let lanes: Mutex<Lanes<Holder.Dispatched, Runner>>
  @usableFromInline let records = EventChannel<Record<Holder.ChangeCause, Holder.State>>()
  @usableFromInline let listeners = TransitionListeners<Holder.ChangeCause, Holder.State>()
  /// The watchings whose handlers work on objects that are not kept alive.
  let crowd = WatchCrowd()
  /// How many probes want to know when everything is carried out; asked for once a runner.
  let probeCount = Atomic(0)

  /// The timers of messages that wait: they end with the holder, and with nothing else.
  let timers = Timers()
  let timeline = Mutex<Timeline?>(nil)

  @usableFromInline
  init(_ policy: MailboxPolicy) {
    mailbox = Mailbox(policy)
    lanes = Mutex(Lanes(policy))
  }

  /// How many messages were sent and are neither carried out nor dropped.
  ///
  /// A message that goes from the mailbox to a lane, or back, is counted in one of them before it leaves the other.
  var unfinishedCount: Int { lanes.withLock { mailbox.count + $0.waitingCount } }

  /// How many messages were dropped because too many waited.
  var droppedCount: Int { mailbox.droppedCount + lanes.withLock { $0.droppedCount } }

  @inlinable
  func send(_ message: Holder.Dispatched, to holder: Holder) {
    post(.sent(message), to: holder)
  }

  @inlinable
  func post(_ mail: Mail, to holder: Holder) {
    mailbox.send(mail, to: holder, in: holder.bag, by: self)
  }

  // Inlined, like the `carryOut` of the holders: each async function on the way costs a look at the executors.
  @inlinable @inline(__always)
  func handle(_ mail: Mail, by runner: Runner, on holder: isolated Holder) async {
    switch mail {
    case .sent(let message):
      let policy = holder.policy(for: message)
      if case .concurrent = policy {
        await holder.carryOut(dispatched: message)
      } else {
        await admit(message, under: policy, by: runner, on: holder)
      }
    case .due(let message, let lane): await start(message, in: lane, by: runner, on: holder)
    case .cancel(let id): cancel(id, on: holder)
    }
  }

  /// Tells the probes, if there are any, when nothing is left to be carried out.
  @usableFromInline
  func runnerHasEnded() {
    guard probeCount.load(ordering: .relaxed) > 0, unfinishedCount == 0 else { return }
    records.send(.settled)
  }
}

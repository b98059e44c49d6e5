public import AsyncKnot
public import Synchronization

/// Receives the messages of one holder, carries them out as their policies say, and logs
/// transitions.
///
/// The desk is a companion of the holder's knot, so it lives as long as the holder. It holds no
/// strong reference to the holder.
@usableFromInline
final class Desk<Holder: Dispatcher>: MailHandler {
  /// The messages of the mailbox.
  @usableFromInline
  enum Mail: Sendable {
    /// A message that was sent; its policy is not yet known.
    case sent(Holder.Dispatched)
    /// The next message of a lane starts now, unless it was cancelled.
    indirect case due(Lane)
    /// A request to cancel all messages with this id.
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
  /// The number of probes, which are notified when everything is carried out; read once per runner.
  let probeCount = Atomic(0)

  /// The timers of messages that wait; they live as long as the desk.
  let timers = Timers()
  let timeline = Mutex<Timeline?>(nil)

  /// The identity of the holder.
  @usableFromInline let owner: ObjectIdentifier

  @usableFromInline
  init(of owner: ObjectIdentifier, _ policy: MailboxPolicy) {
    self.owner = owner
    mailbox = Mailbox(policy)
    lanes = Mutex(Lanes(policy))
  }

  /// The number of messages that were sent and are neither carried out nor dropped.
  ///
  /// A message that goes from the mailbox to a lane is counted there before it leaves the mailbox.
  /// A message whose `due` is in the mailbox is counted twice until it starts.
  var unfinishedCount: Int { lanes.withLock { mailbox.count + $0.waitingCount } }

  /// The number of messages that were dropped because too many waited, in the mailbox or in a
  /// serial lane.
  var droppedCount: Int { mailbox.droppedCount + lanes.withLock { $0.droppedCount } }

  /// Sends a message; synchronous, from any isolation.
  @inlinable
  func send(_ message: Holder.Dispatched, to holder: Holder) {
    mailbox.send(.sent(message), to: holder, in: holder.bag, by: self)
  }

  /// Posts a mail of the policies, which the mailbox never drops.
  ///
  /// - Parameters:
  ///   - mail: The mail.
  ///   - holder: The actor.
  ///   - urgency: The priority that the mail needs, if the caller's may be lower.
  @inlinable
  func post(_ mail: Mail, to holder: Holder, urgency: UInt8 = 0) {
    mailbox.send(mail, to: holder, in: holder.bag, by: self, mustKeep: true, urgency: urgency)
  }

  // Inlined, like the `carryOut` of the holders: each async function in between costs one look-up
  // of the executors.
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
    case .due(let lane): await startNext(in: lane, by: runner, on: holder)
    case .cancel(let id): cancel(id, on: holder)
    }
  }

  /// Notifies the probes, if there are any, when nothing is left to be carried out.
  @usableFromInline
  func runnerHasEnded() {
    guard probeCount.load(ordering: .relaxed) > 0, unfinishedCount == 0 else { return }
    records.send(.settled)
  }
}

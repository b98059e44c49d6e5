public import AsyncKnot
public import Synchronization

/// Receives the messages of one holder, and carries them out as their policies say.
///
/// The desk is a companion of the holder's knot, so it lives as long as the holder. It holds no
/// strong reference to the holder.
@usableFromInline
final class Desk<Holder: Dispatcher>: Sendable {
  /// The entries of the mailbox.
  @usableFromInline
  enum Mail: Sendable {
    /// A message that was sent; its policy is not yet known.
    case sent(Parcel)
    /// The next message of a lane starts now, if it is due.
    indirect case due(Lane, isFailed: Bool)
    /// A request to cancel all messages with this id.
    indirect case cancel(any Hashable & Sendable)
  }

  /// A message, and where to say what became of it.
  @usableFromInline
  struct Parcel: Sendable {
    @usableFromInline let message: Holder.Dispatched
    @usableFromInline let receipt: Receipt?

    @inlinable
    init(_ message: Holder.Dispatched, _ receipt: Receipt? = nil) {
      self.message = message
      self.receipt = receipt
    }
  }

  @usableFromInline let mailbox: Mailbox<Mail>
  /// The state machine of the policies.
  ///
  /// Only methods with an isolated holder use it, so no lock is needed, and ids may do what they
  /// like when they are compared or released.
  @usableFromInline nonisolated(unsafe) var lanes = Lanes<Parcel, Flight>()
  /// The number of messages that wait in the lanes, as others than the holder read it.
  @usableFromInline let waiting = Atomic(0)
  /// The number of messages that were dropped from the lanes because too many waited.
  let dropped = Atomic(0)
  @usableFromInline
  let listeners = TransitionListeners<Holder.ChangeCause, Holder.State>()

  /// The timers of the lanes; they live as long as the desk.
  let timers = TaskBag()
  let timeline = Mutex<Timeline?>(nil)

  /// The identity of the holder, and its number, which no other holder ever has.
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let number = deskCount.add(1, ordering: .relaxed).newValue

  @usableFromInline
  init(of owner: ObjectIdentifier, _ policy: MailboxPolicy) {
    self.owner = owner
    mailbox = Mailbox(policy)
  }

  deinit { listeners.end() }

  /// The number of messages that were sent and are neither carried out nor dropped.
  ///
  /// A message that goes from the mailbox to a lane is counted there before it leaves the mailbox.
  @usableFromInline var unfinishedCount: Int { mailbox.count + waiting.load(ordering: .acquiring) }

  /// The number of messages that were dropped because too many waited.
  var droppedCount: Int { mailbox.droppedCount + dropped.load(ordering: .relaxed) }

  /// Sends a message; synchronous, from any isolation.
  @inlinable
  func send(_ message: Holder.Dispatched, _ receipt: Receipt? = nil, to holder: Holder) {
    post(.sent(Parcel(message, receipt)), to: holder, mustKeep: false)
  }

  /// Adds a mail; starts a runner if none of at least the sender's priority is queued.
  @inlinable
  func post(_ mail: Mail, to holder: Holder, mustKeep: Bool = true, urgency: UInt8 = 0) {
    let priority = TaskPriority(rawValue: max(Task.currentPriority.rawValue, urgency))
    let needsRunner = mailbox.add(
      mail, at: priority, mustKeep: mustKeep, besides: waiting.load(ordering: .relaxed))
    if needsRunner { queueRunner(at: priority, on: holder) }
  }

  // Inlined, like the `carryOut` of the holders: each async function in between costs one look-up
  // of the executors.
  @inlinable @inline(__always)
  func handle(_ mail: Mail, by runner: Runner, on holder: isolated Holder) async {
    switch mail {
    case .sent(let parcel):
      let policy = holder.policy(for: parcel.message)
      if case .concurrent = policy {
        await holder.carryOut(dispatched: parcel.message)
        parcel.receipt?.resolve(runner.shared)
      } else {
        await admit(parcel, under: policy, by: runner, on: holder)
      }
    case .due(let lane, let isFailed):
      await startNext(in: lane, isFailed: isFailed, by: runner, on: holder)
    case .cancel(let id): cancel(id, on: holder)
    }
  }

  /// Whether the current task may write: it belongs to no superseded or cancelled message of this
  /// holder.
  @inlinable var mayWrite: Bool {
    guard let errand = Errand.local.get(), errand.isRevoked else { return true }
    return errand.holder != number
  }

  /// Whether the current task may commit: it may write, and it is not cancelled itself.
  @inlinable var mayCommit: Bool { !Task.isCancelled && mayWrite }
}

@usableFromInline let deskCount = Atomic(0)

public import AsyncKnot
public import Synchronization

/// Carries out the messages of a holder, which it does not keep alive: a companion of its knot.
@usableFromInline
final class Desk<Holder: Dispatcher>: Sendable {
  @usableFromInline
  enum Mail: Sendable {
    case sent(Parcel)
    indirect case due(Lane, isFailed: Bool)
    indirect case cancel(any Hashable & Sendable)
  }

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

  /// A parcel that waits in a lane: an object, so that lanes are of one type, and fast, for all
  /// holders.
  final class Waiting: Sendable {
    let parcel: Parcel
    init(_ parcel: Parcel) { self.parcel = parcel }
  }

  @usableFromInline let mailbox: Mailbox<Mail>
  /// The number of messages that wait in the lanes, for others than the holder.
  @usableFromInline let waiting = Atomic(0)
  /// The number of messages that the bound has dropped from the lanes.
  let dropped = Atomic(0)

  @usableFromInline let listeners = Mutex<[Listener<Holder.ChangeCause, Holder.State>]>([])
  @usableFromInline let hasListeners = Atomic(false)

  let alarms = Mutex<Alarms?>(nil)

  /// The identity of the holder, and its number, which no other holder ever has.
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let number = deskCount.add(1, ordering: .relaxed).newValue

  /// Senders write or read what is above, the holder's messages write what is below.
  private let gap = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  /// Only methods with an isolated holder use these, so no lock is needed (S18: ids may do what they
  /// like when they are compared or released).
  nonisolated(unsafe) var flights = Flights<Flight>()
  nonisolated(unsafe) var lanes = Lanes<any AnyObject & Sendable, Flight>()

  @usableFromInline
  init(of owner: ObjectIdentifier, _ policy: MailboxPolicy) {
    self.owner = owner
    mailbox = Mailbox(policy)
  }

  /// The number of messages that were sent and are neither carried out nor dropped; one that goes to
  /// a lane is counted there before it leaves the mailbox.
  @usableFromInline var unfinishedCount: Int { mailbox.count + waiting.load(ordering: .acquiring) }

  var droppedCount: Int { mailbox.droppedCount + dropped.load(ordering: .relaxed) }

  @inlinable
  func send(_ message: Holder.Dispatched, _ receipt: Receipt? = nil, to holder: Holder) {
    post(.sent(Parcel(message, receipt)), to: holder, mustKeep: false)
  }

  /// Adds a mail, and a runner if none of at least the sender's priority is queued.
  @inlinable
  func post(_ mail: Mail, to holder: Holder, mustKeep: Bool = true, urgency: UInt8 = 0) {
    let priority = TaskPriority(rawValue: max(Task.currentPriority.rawValue, urgency))
    let needsRunner = mailbox.add(
      mail, at: priority, mustKeep: mustKeep, besides: waiting.load(ordering: .relaxed))
    if needsRunner { queueRunner(at: priority, on: holder) }
  }

  /// Whether the current task belongs to no superseded or cancelled message of this holder.
  @inlinable var mayWrite: Bool {
    guard let errand = Errand.local.get(), errand.isRevoked else { return true }
    return errand.holder != number
  }

  @inlinable var mayCommit: Bool { !Task.isCancelled && mayWrite }
}

let deskCount = Atomic(0)

public import AsyncKnot
public import Synchronization

/// Carries out the messages of a holder, which it does not keep alive: a companion of its knot.
///
/// A mail goes from `post` through the mailbox to a runner (`relay`), which handles it: a message that
/// no policy concerns is carried out, any other one goes its way as a `Letter` (`Desk+Letters`).
@usableFromInline
final class Desk<Holder: Dispatcher>: Sendable {
  @usableFromInline
  enum Mail: MailboxItem {
    /// A message was sent; the receipt is for who performs it.
    case sent(Holder.Dispatched, Receipt?)
    /// A message was sent while somebody listens.
    indirect case tracked(Holder.Dispatched, Receipt?, Track)
    /// A lane is to be looked at.
    indirect case due(Lane, isFailed: Bool)
    indirect case cancel(LaneID)
    indirect case invalidate(LaneID)
    /// A caller of `perform` was cancelled.
    case gone(Caller)

    @inlinable var mustKeep: Bool {
      switch self {
      case .sent, .tracked: false
      case .due, .cancel, .invalidate, .gone: true
      }
    }
  }

  @usableFromInline let mailbox: Mailbox<Mail>
  /// The number of messages that the bound has dropped from the lanes.
  let dropped = Atomic(0)

  @usableFromInline let listeners = Mutex(Listeners<Holder.ChangeCause, Holder.State>())
  /// The `Watchers` that a message or a commit has to notify.
  @usableFromInline let watchers = Atomic(Watchers().rawValue)
  let tracer = Mutex<Tracer?>(nil)

  let alarms = Mutex<Alarms?>(nil)

  /// The ids of cancellations that the holder has not heard of yet, which may wait behind what they
  /// cancel; and whether there are any.
  let recalls = Mutex<[LaneID]>([])
  @usableFromInline let hasRecalls = Atomic(false)

  /// The identity of the holder, and its number, which no other holder ever has.
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let number = deskCount.add(1, ordering: .relaxed).newValue

  /// Senders write or read what is above, the holder's messages write what is below.
  private let gap = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  /// Only methods with an isolated holder use these, so no lock is needed (S18: ids may do what they
  /// like when they are compared or released).
  @exclusivity(unchecked) nonisolated(unsafe) var lanes = Lanes<Letter>()
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var isTelling = false
  /// The transitions that listeners have caused and nobody was told of yet.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var untold = Fifo<Told>()
  @exclusivity(unchecked) nonisolated(unsafe) var log = Log()
  /// A source of the confirmed states, once somebody has asked for it.
  @exclusivity(unchecked) nonisolated(unsafe) var source: Knot<Holder.State>?
  /// Whether a message has ended whose changes or loads are still in the log.
  @exclusivity(unchecked) nonisolated(unsafe) var mustTakeBack = false
  /// Whether a commit has more to do than to change the state: the log is not idle, or somebody has
  /// asked for the confirmed states.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var isLogged = false
  /// Whether a step of the log was a commit, and the number of states that were none (O9).
  @exclusivity(unchecked) nonisolated(unsafe) var hasCommitted = false
  @exclusivity(unchecked) nonisolated(unsafe) var uncommittedCount: UInt64 = 0
  /// Whether the holder was told that an answer hides a pending change.
  @exclusivity(unchecked) nonisolated(unsafe) var hasWarned = false

  @usableFromInline
  init(of owner: ObjectIdentifier, _ policy: MailboxPolicy) {
    self.owner = owner
    mailbox = Mailbox(policy)
  }

  deinit { unsafe source?.finish() }

  /// The number of messages that were sent and have neither ended nor been dropped; one that goes to a
  /// lane is counted there before it leaves the mailbox.
  @usableFromInline var unfinishedCount: Int {
    mailbox.count + mailbox.elsewhere.load(ordering: .acquiring)
  }

  var droppedCount: Int { mailbox.droppedCount + dropped.load(ordering: .relaxed) }

  /// Adds a mail, and a runner if none of at least the sender's priority is queued.
  @inlinable
  func post(_ mail: Mail, to holder: Holder, at priority: TaskPriority = Task.currentPriority) {
    if mailbox.add(mail, at: priority) { queueRunner(at: priority, on: holder) }
  }

  /// Whether the current task belongs to no superseded or cancelled message of this holder.
  @inlinable var mayWrite: Bool {
    if hasRecalls.load(ordering: .relaxed) { carryOutRecalls() }
    guard let letter = Letter.current, letter.isRevoked else { return true }
    return letter.holder != number
  }

  @inlinable var mayCommit: Bool { !Task.isCancelledNow && mayWrite }

  /// Writes for a task that may; returns `nil`, and changes nothing, if another thread's cancellation
  /// was first.
  ///
  /// `cancel(id)` waits for the knot's lock: so a write that it does not find here has ended when it
  /// returns.
  @inlinable
  func writeUnlessRecalled<Result: Sendable>(
    to knot: Knot<Holder.State>, _ body: (inout Holder.State) -> Result
  ) -> Result? {
    Spawn.preemptionPoint()
    repeat {
      do throws(Recalled) {
        return try knot.write(by: owner) { state throws(Recalled) in
          if hasRecalls.load(ordering: .relaxed) { throw Recalled() }
          return body(&state)
        }
      } catch {}
    } while mayWrite
    return nil
  }
}

/// A cancellation was noted between the look and the write.
@usableFromInline
struct Recalled: Error { @inlinable init() {} }

let deskCount = Atomic(0)

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
    let runner = Runner(at: priority)
    let (entry, task) = holder.knot.bag.addApart(priority: priority) { [self, weak holder] in
      guard let holder else { return }
      await run(runner, on: holder)
    } cancelledEarly: {
      runner.cancel()
    }
    runner.attach(entry, task)
  }

  /// Runs a runner's part of the relay; cancelling its task revokes the message at work.
  @inlinable
  func run(_ runner: Runner, on holder: isolated Holder) async {
    Spawn.preemptionPoint()
    let plain = Letter(for: number, of: runner)
    await withTaskCancellationHandler {
      await Errand.local.withValue(plain) { await relay(by: runner, plain, on: holder) }
    } onCancel: {
      runner.isCancelled.store(true, ordering: .releasing)
    }
  }

  @inlinable
  func relay(by runner: Runner, _ plain: Letter, on holder: isolated Holder) async {
    var found = mailbox.begin(runner)
    if case .nothing = found {
      // A sender that is still sending has added more by then; a relay for each message is slow.
      await Task.yield()
      found = mailbox.begin(runner, isLast: true)
    }
    switch found {
    case .mail(_, needsSuccessor: true), .cancelled: queueRunner(at: runner.priority, on: holder)
    case .mail, .nothing, .relieved: break
    }
    var slice = Slice()
    while case .mail(let mail, _) = found {
      await handle(mail, by: runner, plain, on: holder)
      found = mailbox.next(for: runner, isOver: slice.isOver())
    }
    tellIfSettled()
  }

  /// Handles a mail; if that starts a message, returns when the message has ended.
  // Inlined: each async function in between costs one look-up of the executors.
  @inlinable @inline(__always)
  func handle(
    _ mail: Mail, by runner: Runner, _ plain: Letter, on holder: isolated Holder
  ) async {
    switch mail {
    case .sent(let message, let receipt):
      let policy = holder.policy(for: message)
      if receipt == nil, case .concurrent = policy {
        if mailbox.isBounded { countWaiting() }
        guard let expected = holder.expectedChange(of: message) else {
          return await holder.dispatch(message)
        }
        let letter = start(message, expecting: expected, by: runner, on: holder)
        await carryOut(message, as: letter, by: runner, plain, on: holder)
      } else if let letter = admit(message, receipt, nil, under: policy, by: runner, on: holder) {
        await carryOut(message, as: letter, by: runner, plain, on: holder)
      }
    case .tracked(let message, let receipt, let track):
      let policy = holder.policy(for: message)
      if let letter = admit(message, receipt, track, under: policy, by: runner, on: holder) {
        await carryOut(message, as: letter, by: runner, plain, on: holder)
      }
    case .due(let lane, let isFailed):
      if let (message, letter) = startNext(in: lane, isFailed: isFailed, by: runner, on: holder) {
        await carryOut(message, as: letter, by: runner, plain, on: holder)
      }
    case .cancel(let id): endRecall(id, on: holder)
    case .invalidate(let id): invalidate(id)
    case .gone(let caller): dismiss(caller, on: holder)
    }
  }

  @inlinable @inline(__always)
  func carryOut(
    _ message: Holder.Dispatched, as letter: Letter, by runner: Runner, _ plain: Letter,
    on holder: isolated Holder
  ) async {
    // What the runner's earlier messages have left behind is not cancelled with this one.
    _ = plain.close()
    await Errand.local.withValue(letter) { await holder.dispatch(message) }
    finish(letter, on: holder)
    if !runner.isCancelled.load(ordering: .relaxed) { plain.begin(by: runner) }
  }
}

public import AsyncKnot
public import Synchronization

/// Carries out a holder's messages.
///
/// A desk is a companion of the holder's knot, and does not keep the holder alive.
///
/// `post` puts an item into the mailbox, and a runner takes and handles the item (`relay`). A plain message, which is a
/// `.concurrent` one without a receipt, a track or an expected change, is carried out directly. Any other message becomes a
/// `Letter` (`Desk+Letters`).
@usableFromInline
final class Desk<Holder: Dispatcher>: Sendable {
  @usableFromInline
  enum Mail: MailboxItem {
    /// A message was sent. It has a receipt if a caller is waiting for its outcome.
    case sent(Holder.Dispatched, Receipt?)
    /// A message was sent while there was a handler of events.
    indirect case tracked(Holder.Dispatched, Receipt?, Track)
    /// The next message of a lane may be due.
    indirect case due(Lane, isFailed: Bool)
    indirect case cancel(LaneID)
    indirect case invalidate(LaneID)
    /// A caller was cancelled.
    case gone(Caller)
    /// The priority of a caller was raised.
    case raised(Caller, UInt8)
    /// A bag has cancelled a runner, and therefore the message that the runner carries out, or the task of a request was
    /// cancelled.
    case revoked
    /// A sender waits until the items in front of this one have been taken.
    case reached(Receipt)

    @inlinable var mustKeep: Bool {
      switch self {
      case .sent, .tracked: false
      case .due, .cancel, .invalidate, .gone, .raised, .revoked, .reached: true
      }
    }
  }

  @usableFromInline let mailbox: Mailbox<Mail>
  /// The number of messages that were dropped from the lanes because of the mailbox's limit.
  let dropped = Atomic(0)

  @usableFromInline let listeners = Mutex(Listeners<Holder.ChangeCause, Holder.State>())
  /// The `Watchers` that a message or a commit has to notify.
  @usableFromInline let watchers = Atomic(Watchers().rawValue)
  let tracer = Mutex<Tracer?>(nil)

  let alarms = Mutex<Alarms?>(nil)

  let recalls = Mutex(Recalls())
  /// Whether `recalls` contains anything.
  @usableFromInline let hasRecalls = Atomic(false)

  /// The identity of the holder, and a number that no other holder ever has.
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let number = deskCount.add(1, ordering: .relaxed).newValue

  /// Padding between the properties above it, which senders use, and those below it, which the holder's messages write.
  ///
  /// The two groups must not share a cache line.
  private let gap = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  // The variables below are used only by methods with an isolated holder, so they need no lock. A lock would not be allowed,
  // because comparing or releasing an id may run any code (S18).
  @exclusivity(unchecked) nonisolated(unsafe) var lanes = Lanes<Letter>()
  @exclusivity(unchecked) nonisolated(unsafe) var log = Log()
  /// The source of the confirmed states; `nil` until it is first read.
  @exclusivity(unchecked) nonisolated(unsafe) var source: Knot<Holder.State>?
  /// The messages that have ended and still have changes or loads in the log, with the outcomes for their callers.
  @exclusivity(unchecked) nonisolated(unsafe) var unanswered: [(Letter, DispatchOutcome)] = []
  /// The positions of requests whose tasks were cancelled and whose changes and loads are still in the log.
  @exclusivity(unchecked) nonisolated(unsafe) var cancelled: [Int] = []
  /// Whether a commit must do more than change the state, because the log is not idle or the confirmed states have been read.
  @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var isLogged = false
  /// Whether any step so far was a commit or a load (O9).
  @exclusivity(unchecked) nonisolated(unsafe) var hasCommitted = false
  /// The number of state changes by steps that were neither a commit nor a load.
  @exclusivity(unchecked) nonisolated(unsafe) var uncommittedCount: UInt64 = 0
  /// Keeps `cancel(id)` from returning in the middle of a step of the log.
  let steps = Steps()
  /// Whether this holder has already found that a response hides a pending change, so that it does not check again.
  ///
  /// The flag is stored in the holder, because a run of an exploration must not depend on what earlier runs have printed.
  @exclusivity(unchecked) nonisolated(unsafe) var hasWarned = false
  /// Whether the waiting messages were dropped, because the holder was released.
  private let hasEnded = Atomic(false)

  @usableFromInline
  init(of owner: ObjectIdentifier, _ policy: MailboxPolicy) {
    self.owner = owner
    mailbox = Mailbox(policy)
  }

  deinit {
    end()
    unsafe source?.finish()
  }

  /// Drops the messages that wait for a holder that was released, even if its knot is still referenced.
  @usableFromInline
  func end() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    mailbox.removeAll()
    for letter in unsafe lanes.waiting.elements { end(letter, .dropped) }
    for (letter, outcome) in unsafe unanswered { letter.answer(outcome) }
  }

  /// The number of messages that were sent and have neither ended nor been dropped, and of other mailbox items that are not yet
  /// handled.
  ///
  /// A message that moves to a lane is counted there before it leaves the mailbox.
  @usableFromInline var unfinishedCount: Int {
    mailbox.count + mailbox.elsewhere.load(ordering: .acquiring)
  }

  var droppedCount: Int { mailbox.droppedCount + dropped.load(ordering: .relaxed) }

  /// Adds an item and queues a runner if none with at least the sender's priority is queued.
  @inlinable
  func post(_ mail: Mail, to holder: Holder, at priority: TaskPriority = Task.currentPriority) {
    if mailbox.add(mail, at: priority) { queueRunner(at: priority, on: holder) }
  }

  /// Whether the current task may write: `false` if it belongs to a superseded or cancelled message of this holder.
  @inlinable var mayWrite: Bool {
    if hasRecalls.load(ordering: .relaxed) { carryOutRecalls() }
    guard let letter = Letter.current, letter.isRevoked else { return true }
    return letter.holder != number
  }

  @inlinable var mayCommit: Bool { !Task.isCancelledNow && mayWrite }

  /// Writes the state; returns `nil`, and changes nothing, if another thread cancels the current message
  /// before the write.
  ///
  /// `cancel(id)` waits for the knot's lock, so a write that began before the cancellation has ended when
  /// `cancel(id)` returns. The caller calls `Reducer.carryOutEndings()` after it has notified the listeners, because a deinit may
  /// commit, too.
  @inlinable
  func writeUnlessRecalled<Result: Sendable>(
    to knot: Knot<Holder.State>, _ body: (inout Holder.State) -> Result
  ) -> Result? {
    Spawn.preemptionPoint()
    repeat {
      do throws(Recalled) {
        let (result, news) = try knot.writeUnpublished(by: owner) { state throws(Recalled) in
          if hasRecalls.load(ordering: .relaxed) { throw Recalled() }
          return body(&state)
        }
        news?.publish()
        return result
      } catch {}
    } while mayWrite
    return nil
  }
}

/// Cancellations that were recorded on any thread and are not yet applied.
struct Recalls {
  /// The cancelled ids; their `.cancel` items may wait behind the cancelled messages.
  var ids: [LaneID] = []
  /// The positions of requests whose tasks were cancelled.
  var requests: [Int] = []
}

/// Thrown if a cancellation was recorded between the check and the write.
@usableFromInline
struct Recalled: Error { @inlinable init() {} }

let deskCount = Atomic(0)

/// The relay of runners, which avoids a task for each message.
///
/// Before its first message, a runner queues a successor on the actor, unless a more urgent runner is already queued. The
/// successor begins when the runner suspends in a handler or stops. A runner has the priority of the sender that started it. It
/// takes no message of a sender with a higher priority, because such a sender starts another runner (F2).
extension Desk {
  // This method is not inlined, so that a send that needs no runner does not pay for the retains in it.
  @inlinable @inline(never)
  func queueRunner(at priority: TaskPriority, on holder: Holder) {
    Spawn.preemptionPoint()
    let runner = Runner(at: priority)
    let (entry, task) = holder.knot.bag.addApart(priority: priority) { [self, weak holder] in
      guard let holder else { return end() }
      await run(runner, on: holder)
    }
    runner.attach(entry, task)
  }

  /// Runs a runner's part of the relay; cancelling the runner's task revokes the message that is being handled.
  @inlinable
  func run(_ runner: Runner, on holder: isolated Holder) async {
    Spawn.preemptionPoint()
    let plain = Letter(for: number, of: runner)
    await withTaskCancellationHandler {
      await CurrentMessage.local.withValue(plain) { await relay(by: runner, plain, on: holder) }
    } onCancel: {
      let isKnown = runner.isCancelled.exchange(true, ordering: .acquiringAndReleasing)
      if !isKnown { post(.revoked, to: holder) }
    }
  }

  @inlinable
  func relay(by runner: Runner, _ plain: Letter, on holder: isolated Holder) async {
    var found = mailbox.begin(runner)
    if case .nothing = found {
      // Lets a sender that is still sending add more items, because a separate relay for each message would be slow.
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
    notifyIfSettled()
  }

  /// Handles an item; if the item starts a message, returns when the message has ended.
  // This method is inlined, because each call of an async function costs one executor lookup.
  @inlinable @inline(__always)
  func handle(
    _ mail: Mail, by runner: Runner, _ plain: Letter, on holder: isolated Holder
  ) async {
    switch mail {
    case .sent(let message, let receipt):
      let policy = holder.policy(for: message)
      if receipt == nil, case .concurrent = policy {
        if mailbox.isBounded { countWaiting() }
        guard let expected = holder.expectedChange(for: message) else {
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
    case .gone(let caller): review(caller, on: holder)
    case .raised(let caller, let urgency): raiseMessage(of: caller, to: urgency, on: holder)
    case .revoked: handleRevoked(on: holder)
    case .reached(let receipt): receipt.resolve(.carriedOut)
    }
  }

  @inlinable @inline(__always)
  func carryOut(
    _ message: Holder.Dispatched, as letter: Letter, by runner: Runner, _ plain: Letter,
    on holder: isolated Holder
  ) async {
    // Closes `plain`, so that cancelling this message does not revoke the tasks that the runner's earlier messages left behind.
    _ = plain.close()
    await CurrentMessage.local.withValue(letter) { await holder.dispatch(message) }
    finish(letter, on: holder)
    if !runner.isCancelled.load(ordering: .relaxed) { plain.begin(by: runner) }
  }
}

public import AsyncKnot
public import Synchronization

/// A message that a policy concerns, from the turn at which its policy is asked for to its end; its tasks
/// carry it as a task-local value.
///
/// It waits in its lane, or not; then a runner carries it out; and it ends once: carried out,
/// superseded or dropped (`Desk.end`). Messages that no policy concerns have one letter for each
/// runner, because a task-local value for each would take a quarter of a message's time.
@usableFromInline
final class Letter: Sendable {
  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// It waits, or is carried out; cancelling its runner revokes it.
    case open
    /// It has ended in time: what its tasks write later counts.
    case closed
    /// It was superseded or cancelled: what its tasks write from now on is dropped (O4).
    case revoked
  }

  /// The number of the holder, which no other holder ever has.
  @usableFromInline let holder: Int
  /// What the policy says; nobody asks for that of a runner's letter.
  let terms: Terms
  let urgency: UInt8
  private let phase = Atomic(Phase.open)

  // The holder writes these, on its isolation; its tasks, which begin later, read the runner.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var runner: Runner?
  /// What was sent, while it waits.
  @exclusivity(unchecked) nonisolated(unsafe) var contents: (any AnyObject & Sendable)?
  @exclusivity(unchecked) nonisolated(unsafe) private var receipts: [Receipt] = []
  /// The number of its changes and loads that are not answered.
  @exclusivity(unchecked) nonisolated(unsafe) var openCount = 0
  /// Where its expected change is shown, until a commit that names the message takes that over.
  @exclusivity(unchecked) nonisolated(unsafe) var expected: (place: Int, message: any Sendable)?
  /// The number of those that wait for its end: a sender does so for ever.
  @exclusivity(unchecked) nonisolated(unsafe) private var audience = 0

  init(for holder: Int, under terms: Terms, urgency: UInt8) {
    (self.holder, self.terms, self.urgency) = (holder, terms, urgency)
  }

  /// Makes that of a runner.
  @usableFromInline
  init(for holder: Int, of runner: Runner) {
    (self.holder, terms, urgency) = (holder, Terms(lane: Lane(.latest, holder)), 0)
    unsafe self.runner = runner
  }

  /// The letter of the current task; `nil` outside of any message.
  @inlinable static var current: Letter? {
    Errand.local.get().map { unsafe unsafeDowncast($0, to: Letter.self) }
  }

  /// Whether the message was superseded or cancelled before it ended.
  @usableFromInline var isRevoked: Bool {
    switch phase.load(ordering: .acquiring) {
    case .open: unsafe runner?.isCancelled.load(ordering: .acquiring) ?? false
    case .closed: false
    case .revoked: true
    }
  }

  var hasEnded: Bool { phase.load(ordering: .relaxed) != .open }

  /// Begins, or begins anew, which only the letter of a runner does.
  @usableFromInline
  func begin(by runner: Runner) {
    unsafe self.runner = runner
    phase.store(.open, ordering: .releasing)
  }

  /// Ends, if it has not yet; returns whether it had not.
  @usableFromInline
  func close(isRevoked: Bool = false) -> Bool {
    guard phase.load(ordering: .relaxed) == .open else { return false }
    phase.store(isRevoked ? .revoked : .closed, ordering: .releasing)
    return true
  }

  /// Adds somebody who waits for the end: a caller until it is cancelled, a sender (`nil`) for ever.
  func join(_ receipt: Receipt?) {
    if let receipt {
      unsafe receipts.append(receipt)
      guard unsafe !receipt.caller.isGone else { return }
      unsafe receipt.caller.letter = self
    }
    unsafe audience += 1
  }

  /// Takes a caller away that was cancelled.
  func leave() { unsafe audience -= 1 }

  /// Whether each caller that shares it was cancelled (O16).
  var isAbandoned: Bool { unsafe audience == 0 && terms.lane.kind == .exclusive }

  func answer(_ outcome: DispatchOutcome) {
    let receipts = unsafe receipts
    unsafe self.receipts = []
    for receipt in receipts { receipt.resolve(outcome) }
  }
}

extension Letter: LaneItem {
  @usableFromInline static func == (left: Letter, right: Letter) -> Bool { left === right }
}

/// A caller of `perform`, as far as the holder knows it; only the holder uses it, on its isolation.
@usableFromInline
final class Caller: Sendable {
  /// The message that the caller waits for, from its turn to its end.
  @exclusivity(unchecked) nonisolated(unsafe) var letter: Letter?
  @exclusivity(unchecked) nonisolated(unsafe) var isGone = false
  /// The message whose handler calls, which must not wait for itself.
  let origin = Letter.current
}

/// Tells a caller what became of its message: dropped, if the receipt is released without a word, by a
/// full mailbox for example.
@usableFromInline
final class Receipt: Sendable {
  let caller: Caller
  private let continuation: Mutex<CheckedContinuation<DispatchOutcome, Never>?>

  init(to caller: Caller, _ continuation: CheckedContinuation<DispatchOutcome, Never>) {
    self.caller = caller
    self.continuation = Mutex(continuation)
  }

  deinit { resolve(.dropped) }

  @usableFromInline
  func resolve(_ outcome: DispatchOutcome) {
    continuation.withLock { $0.take() }?.resume(returning: outcome)
  }
}

/// A task in which a holder handles messages, as an object that other code can cancel.
@usableFromInline
final class Runner: Sendable {
  @usableFromInline let priority: TaskPriority
  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  /// Cancels the task; `nil` while it is being created.
  private let cancelTask = Mutex<(@Sendable () -> Void)?>(nil)

  @usableFromInline init(at priority: TaskPriority) { self.priority = priority }

  /// Revokes the message at work and cancels the task; the second call does nothing.
  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    cancelTask.withLock { $0.take() }?()
  }

  @usableFromInline
  func attach(_ cancel: @escaping @Sendable () -> Void) {
    cancelTask.withLock { $0 = cancel }
    if isCancelled.load(ordering: .sequentiallyConsistent) { self.cancel() }
  }
}

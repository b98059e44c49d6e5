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
    /// It ended without being superseded, so later writes of its tasks count.
    case closed
    /// It was superseded or cancelled, so later writes of its tasks are dropped (O4).
    case revoked
  }

  /// The number of the holder, which no other holder ever has.
  @usableFromInline let holder: Int
  let terms: Terms
  /// What is told of it; `nil` if nobody listened when it was sent.
  let track: Track?
  private let phase = Atomic(Phase.open)

  // The holder writes these, on its isolation; its tasks, which begin later, read the runner.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var runner: Runner?
  /// What was sent, while it waits.
  @exclusivity(unchecked) nonisolated(unsafe) var contents: (any AnyObject & Sendable)?
  /// The highest priority of those that wait for it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) var urgency: UInt8
  /// The number of its changes and loads that are not answered.
  @exclusivity(unchecked) nonisolated(unsafe) var openCount = 0
  /// Where its expected change is shown, until a commit that names the message takes that over.
  @exclusivity(unchecked) nonisolated(unsafe) var expected: (place: Int, message: any Sendable)?
  /// The first error of a request that it has made.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var failure: (any Error)?
  /// Whether its id was invalidated since it began: its answer is not fresh, and nobody joins it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) var isStale = false
  /// Whether somebody has sent it or its like, and so wants it done without waiting for it.
  @exclusivity(unchecked) nonisolated(unsafe) private var isSent = false
  /// Who waits for whom; `nil` as long as nobody does, as with most messages.
  @exclusivity(unchecked) nonisolated(unsafe) private var knownTies: Ties?

  fileprivate final class Ties {
    /// The callers that wait for its end.
    var receipts = SlotTable<Receipt>()
    /// The messages that its handler performs and waits for.
    var calls = SlotTable<Letter>()
  }

  init(for holder: Int, under terms: Terms, urgency: UInt8, _ track: Track?) {
    (self.holder, self.terms, self.urgency, self.track) = (holder, terms, urgency, track)
  }

  /// Makes that of a runner.
  @usableFromInline
  init(for holder: Int, of runner: Runner) {
    (self.holder, terms, urgency, track) = (holder, .concurrent, 0, nil)
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
    unsafe failure = nil
    phase.store(.open, ordering: .releasing)
    track?.tell(.started)
  }

  /// Ends, if it has not yet; returns whether it had not.
  @usableFromInline
  func close(isRevoked: Bool = false) -> Bool {
    guard phase.load(ordering: .relaxed) == .open else { return false }
    phase.store(isRevoked ? .revoked : .closed, ordering: .releasing)
    return true
  }

  func fail(with error: any Error) { if unsafe failure == nil { unsafe failure = error } }

  fileprivate var ties: Ties {
    if let known = unsafe knownTies { return known }
    let ties = Ties()
    unsafe knownTies = ties
    return ties
  }

  /// The messages that its handler performs and waits for.
  var calls: [Letter] { unsafe knownTies?.calls.elements ?? [] }

  /// Adds a caller that waits for the end, or a sender (`nil`).
  func join(_ receipt: Receipt?) {
    guard let receipt else { return unsafe isSent = true }
    unsafe receipt.caller.place = (self, ties.receipts.insert(receipt))
    unsafe receipt.caller.call = receipt.caller.origin?.ties.calls.insert(self)
  }

  /// Asks the sender whether the message may start, once, right before it starts.
  var mayStart: Bool { unsafe knownTies?.receipts.elements.allSatisfy { $0.mayStart() } ?? true }

  /// Takes a caller away; returns its receipt, unless nobody else wants the message done.
  func leave(_ seat: UInt64) -> Receipt? {
    guard unsafe isSent || ties.receipts.count > 1, let receipt = ties.receipts.remove(seat) else {
      return nil
    }
    receipt.caller.hangUp()
    return receipt
  }

  func answer(_ outcome: DispatchOutcome) {
    guard let ties = unsafe knownTies else { return }
    let answered = ties.receipts.elements
    ties.receipts = SlotTable()
    for receipt in answered {
      receipt.caller.hangUp()
      receipt.resolve(unsafe receipt.caller.hasJoined ? .joined(outcome) : outcome)
    }
  }
}

extension Letter: LaneItem, Hashable {
  @usableFromInline static func == (left: Letter, right: Letter) -> Bool { left === right }
  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A caller of `perform`, as far as the holder knows it; only the holder uses it, on its isolation.
@usableFromInline
final class Caller: Sendable {
  /// The message of the same holder whose handler calls; `nil` outside of any.
  let origin: Letter?
  /// The message that the caller waits for, from its turn to its end, and the caller's ticket there.
  @exclusivity(unchecked) nonisolated(unsafe) var place: (letter: Letter, seat: UInt64)?
  /// The ticket of that message among those that `origin` waits for.
  @exclusivity(unchecked) nonisolated(unsafe) fileprivate var call: UInt64?
  /// Whether that message is another one than the caller's.
  @exclusivity(unchecked) nonisolated(unsafe) var hasJoined = false
  @exclusivity(unchecked) nonisolated(unsafe) var isGone = false

  init(origin: Letter?) { self.origin = origin }

  fileprivate func hangUp() {
    unsafe place = nil
    if let call = unsafe call.take() { _ = origin?.ties.calls.remove(call) }
  }
}

/// Tells a caller what became of its message: dropped, if the receipt is released without a word, by a
/// full mailbox for example.
@usableFromInline
final class Receipt: Sendable {
  let caller: Caller
  /// Whether the sender still wants the message, which is dropped otherwise.
  let mayStart: @Sendable () -> Bool
  private let answer: Mutex<(@Sendable (DispatchOutcome) -> Void)?>

  init(
    to caller: Caller, if mayStart: @escaping @Sendable () -> Bool = { true },
    _ answer: @escaping @Sendable (DispatchOutcome) -> Void
  ) {
    self.caller = caller
    self.mayStart = mayStart
    self.answer = Mutex(answer)
  }

  deinit { resolve(.dropped) }

  @usableFromInline
  func resolve(_ outcome: DispatchOutcome) {
    answer.withLock { $0.take() }?(outcome)
  }
}

/// A task in which a holder handles messages, as an object that other code can cancel or raise.
@usableFromInline
final class Runner: Sendable {
  private struct Handle {
    /// Cancels the task, once; `nil` also while it is being created.
    var cancel: (@Sendable () -> Void)?
    var task: Task<Void, Never>?
    var urgency: UInt8 = 0
  }

  @usableFromInline let priority: TaskPriority
  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  private let work = Mutex(Handle())

  @usableFromInline init(at priority: TaskPriority) { self.priority = priority }

  /// Revokes the message at work and cancels the task; the second call does nothing.
  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    work.withLock { $0.cancel.take() }?()
  }

  /// Raises the task to a priority; on systems that cannot (Apple's before 26) it keeps its own.
  func raise(to urgency: UInt8) {
    let task = work.withLock { work in
      work.urgency = max(work.urgency, urgency)
      return work.task
    }
    if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
      task?.escalatePriority(to: TaskPriority(rawValue: urgency))
    }
  }

  @usableFromInline
  func attach(_ entry: TaskBag.Entry, _ task: Task<Void, Never>) {
    let urgency = work.withLock { work in
      (work.cancel, work.task) = (entry.cancel, task)
      return work.urgency
    }
    if urgency > priority.rawValue { raise(to: urgency) }
    if isCancelled.load(ordering: .sequentiallyConsistent) { self.cancel() }
  }
}

public import AsyncKnot
public import Synchronization

/// A message with a policy, from the moment the holder takes it from the mailbox until its end.
///
/// Its tasks carry the letter as a task-local value. The message may wait in its lane before a runner carries it out. It ends
/// once, as carried out, failed, superseded or dropped (`Desk.end`). Plain messages (see `Desk`) share the letter of their
/// runner, because setting a task-local value for each of them would take a quarter of the time that a message needs.
@usableFromInline
final class Letter: Sendable {
  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// The message waits or is being carried out. Cancelling its runner revokes the message.
    case open
    /// The message ended without being superseded, so later writes of its tasks are applied.
    case closed
    /// The message was superseded or cancelled, so later writes of its tasks are dropped (O4).
    case revoked
  }

  /// The number of the holder, which no other holder ever has.
  @usableFromInline let holder: Int
  let terms: Terms
  /// The object that reports the message's events; `nil` if there was no handler of events when the message was sent.
  let track: Track?
  private let phase = Atomic(Phase.open)

  // The holder writes these properties on its isolation. The message's tasks begin later and read only `runner`.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var runner: Runner?
  /// The value that was sent; stored only while the message is waiting.
  @exclusivity(unchecked) nonisolated(unsafe) var contents: (any AnyObject & Sendable)?
  /// The highest priority among the sender and the callers and messages that wait for this message.
  @safe @exclusivity(unchecked) nonisolated(unsafe) var urgency: UInt8
  /// The number of the message's changes that are not settled, and of its loads that have not ended.
  @exclusivity(unchecked) nonisolated(unsafe) var openCount = 0
  /// The position of the expected change in the log, until a commit that names the message adopts the change.
  @exclusivity(unchecked) nonisolated(unsafe) var expected: (place: Int, message: any Sendable)?
  /// How the requests of the handler have ended.
  @exclusivity(unchecked) nonisolated(unsafe) private var requests = Requests()
  /// Whether the id was invalidated after the message began, so its response is not fresh and no caller joins it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) var isStale = false
  /// Whether this message, or one that joined it, was sent with `send(_:)`, which does not wait.
  @exclusivity(unchecked) nonisolated(unsafe) private var isSent = false
  /// The waiting callers and the calls that the handler makes; `nil` for most messages, which have neither.
  @exclusivity(unchecked) nonisolated(unsafe) private var knownTies: Ties?

  private struct Requests {
    /// The first error that was passed to `recover`.
    var error: (any Error)?
    /// Whether a request ended without a response, except in the case of `isAbandoned`.
    ///
    /// For example, its operation threw a `CancellationError`.
    var isCancelled = false
    /// Whether a task that the handler had started was cancelled while it ran a request, perhaps because another request was
    /// answered.
    var isAbandoned = false
    var isAnswered = false
  }

  fileprivate final class Ties {
    /// The callers that are waiting for the message to end.
    var receipts = SlotTable<Receipt>()
    /// The messages that the handler performs and waits for.
    var calls = SlotTable<Letter>()
  }

  init(for holder: Int, under terms: Terms, urgency: UInt8, _ track: Track?) {
    (self.holder, self.terms, self.urgency, self.track) = (holder, terms, urgency, track)
  }

  /// Creates the letter that a runner's plain messages share, or the letter of a `.concurrent` message with an expected change.
  @usableFromInline
  init(for holder: Int, of runner: Runner) {
    (self.holder, terms, urgency, track) = (holder, .concurrent, 0, nil)
    unsafe self.runner = runner
  }

  /// The letter of the current task; `nil` outside any message.
  @inlinable static var current: Letter? {
    CurrentMessage.local.get().map { unsafe unsafeDowncast($0, to: Letter.self) }
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

  /// Marks the letter as running; only a runner's shared letter begins more than once.
  @usableFromInline
  func begin(by runner: Runner) {
    // A cancelled task may be reading the runner of a shared letter.
    if unsafe self.runner !== runner { unsafe self.runner = runner }
    unsafe requests = Requests()
    phase.store(.open, ordering: .releasing)
    track?.record(.started)
  }

  /// Ends the letter; returns `false` if it had already ended.
  @usableFromInline
  func close(isRevoked: Bool = false) -> Bool {
    guard phase.load(ordering: .relaxed) == .open else { return false }
    phase.store(isRevoked ? .revoked : .closed, ordering: .releasing)
    return true
  }

  /// The error with which the message failed, if any.
  ///
  /// It is the first error that was passed to `recover`. Without one, it is a `CancellationError` if a request was cancelled. If
  /// the handler's own task was not cancelled, but only the task of that request, the request does not count once another request
  /// was answered.
  var failure: (any Error)? {
    if let error = unsafe requests.error { return error }
    let isUnanswered = unsafe requests.isCancelled || requests.isAbandoned && !requests.isAnswered
    return isUnanswered ? CancellationError() : nil
  }

  func fail(with error: any Error) {
    if unsafe requests.error == nil { unsafe requests.error = error }
  }

  func answerRequest() { unsafe requests.isAnswered = true }

  /// Records that a request has ended without a response; `isTaskCancelled` is whether the task of the request was cancelled.
  func cancelRequest(isTaskCancelled: Bool = Task.isCancelledNow) {
    if isTaskCancelled, unsafe runner?.isTaskCancelled == false {
      unsafe requests.isAbandoned = true
    } else {
      unsafe requests.isCancelled = true
    }
  }

  fileprivate var ties: Ties {
    if let known = unsafe knownTies { return known }
    let ties = Ties()
    unsafe knownTies = ties
    return ties
  }

  /// The messages that the handler performs and waits for.
  var calls: [Letter] { unsafe knownTies?.calls.elements ?? [] }

  /// Adds a caller that waits for the message to end; pass `nil` for a sender that does not wait.
  func join(_ receipt: Receipt?) {
    guard let receipt else { return unsafe isSent = true }
    unsafe receipt.caller.place = (self, ties.receipts.insert(receipt))
    unsafe receipt.caller.call = receipt.caller.origin?.ties.calls.insert(self)
  }

  /// Whether the sender still wants the message; read once, directly before the message starts.
  var mayStart: Bool { unsafe knownTies?.receipts.elements.allSatisfy { $0.mayStart() } ?? true }

  /// Whether the sender still wants a message that is waiting.
  var isWanted: Bool { unsafe knownTies?.receipts.elements.allSatisfy { $0.isWanted() } ?? true }

  /// Removes a caller and returns its receipt; returns `nil` if nobody else wants the message, which must then be cancelled.
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

/// A caller of `perform`, or an outbox that has sent a message.
///
/// Only the holder uses the variables, on its isolation, but any thread may set `isGone`.
@usableFromInline
final class Caller: Sendable {
  /// The message of the same holder whose handler makes the call; `nil` outside such a handler.
  let origin: Letter?
  /// The message that the caller is waiting for, and the caller's ticket among the message's receipts; `nil` before the message
  /// is admitted, after it has ended, and after the caller has left it.
  @exclusivity(unchecked) nonisolated(unsafe) var place: (letter: Letter, seat: UInt64)?
  /// The ticket, among the calls of `origin`, of the message that the caller is waiting for.
  @exclusivity(unchecked) nonisolated(unsafe) fileprivate var call: UInt64?
  /// Whether the caller has joined another message, so its own message is not carried out.
  @exclusivity(unchecked) nonisolated(unsafe) var hasJoined = false
  /// Whether the caller was cancelled; set before the holder is notified, so that the caller's `.exclusive` message does not
  /// start if it is still in the mailbox.
  let isGone = Atomic(false)

  init(origin: Letter?) { self.origin = origin }

  func leave() { isGone.store(true, ordering: .relaxed) }

  fileprivate func hangUp() {
    unsafe place = nil
    if let call = unsafe call.take() { _ = origin?.ties.calls.remove(call) }
  }
}

/// Reports the outcome of a message to its caller; reports `.dropped` if the receipt is released first,
/// for example by a full mailbox.
@usableFromInline
final class Receipt: Sendable {
  let caller: Caller
  /// Returns whether the sender still wants the message; if not, the message is dropped.
  let isWanted: @Sendable () -> Bool
  /// Called directly before the message starts; if it returns `false`, the message is dropped.
  let mayStart: @Sendable () -> Bool
  private let answer: Mutex<(@Sendable (DispatchOutcome) -> Void)?>

  init(
    to caller: Caller, while isWanted: @escaping @Sendable () -> Bool = { true },
    if mayStart: @escaping @Sendable () -> Bool = { true },
    _ answer: @escaping @Sendable (DispatchOutcome) -> Void
  ) {
    self.caller = caller
    self.mayStart = mayStart
    self.isWanted = isWanted
    self.answer = Mutex(answer)
  }

  deinit { resolve(.dropped) }

  @usableFromInline
  func resolve(_ outcome: DispatchOutcome) {
    answer.withLock { $0.take() }?(outcome)
  }
}

/// A task in which a holder handles messages; other code can cancel it and raise its priority.
@usableFromInline
final class Runner: Sendable {
  private struct Handle {
    /// Cancels the task; `nil` while the task is being created, and after it was cancelled.
    var cancel: (@Sendable () -> Void)?
    var task: Task<Void, Never>?
    var urgency: UInt8 = 0
  }

  @usableFromInline let priority: TaskPriority
  /// Whether the task was cancelled; reading this is cheaper than `Task.isCancelled`.
  @usableFromInline let isCancelled = Atomic(false)
  private let work = Mutex(Handle())

  @usableFromInline init(at priority: TaskPriority) { self.priority = priority }

  /// Revokes the message that is being handled and cancels the task; a second call does nothing.
  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    work.withLock { $0.cancel.take() }?()
  }

  /// Whether the task was cancelled, for example by its bag.
  var isTaskCancelled: Bool { work.withLock { $0.task?.isCancelled ?? false } }

  /// Raises the priority of the task, even if the task is still being created.
  func raise(to urgency: UInt8) {
    let task = work.withLock { work in
      work.urgency = max(work.urgency, urgency)
      return work.task
    }
    task?.raisePriority(to: TaskPriority(rawValue: urgency))
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

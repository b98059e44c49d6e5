/// A request to show a snapshot.
protocol ApplyRequest: Sendable {
  /// Takes over the marks and the priority of an older request that this one replaces.
  mutating func absorb(_ older: Self)
}

/// How a request ended.
enum ApplyAnswer: Sendable {
  case shown(ApplyOutcome)
  case superseded
  case cancelled
  case failed(any Error)
}

/// The state machine of the snapshots given to a data source: prepared, shown, waiting or replaced.
///
/// One request is prepared or shown at a time, and the newest of the others waits. A newer request
/// replaces one that is being prepared, but only `patience` times in a row; then the current one is
/// shown first, so that a fast stream of snapshots does not leave the surface unchanged.
///
/// A replaced request is answered at once, but its snapshot is kept until a newer one reaches the
/// surface: if all newer ones are cancelled before, it is shown after all.
///
/// The queue is a value without locks or tasks: each transition returns the steps to carry out.
struct ApplyQueue<Request: ApplyRequest, Work: Sendable>: Sendable {
  typealias Ticket = UInt64

  /// One preparation of a request.
  ///
  /// A request is prepared again after the user has moved a row, or when all newer ones were
  /// cancelled. Then the earlier attempt, which may still be comparing, has no say any more.
  struct Attempt: Hashable, Sendable {
    let ticket: Ticket
    let number: Int
  }

  /// What the owner of the queue does after a transition.
  enum Step: Sendable {
    /// Prepare a request in a task, and report the task with `began(_:by:)`.
    case prepare(Attempt, Request)
    /// Cancel the preparation of a request that will not be shown now.
    case abandon(Work)
    /// Answer a request.
    case answer(Request, ApplyAnswer)
  }

  struct Entry: Sendable {
    let ticket: Ticket
    /// The position of the request in the order of submission.
    let order: UInt64
    var request: Request
    /// Whether the request was replaced and answered.
    var isAnswered = false
    /// How often the request was prepared.
    fileprivate var attempts = 0

    fileprivate var attempt: Attempt { Attempt(ticket: ticket, number: attempts) }
  }

  enum Phase: Sendable {
    /// There is no request.
    case idle
    /// A request is compared and its nodes are built; the surface was not called for it.
    case preparing(Entry, by: Work?)
    /// The surface carries out a request and cannot be interrupted.
    case showing(Entry)
    /// The user is moving a row. The request that was being prepared, if any, must be compared
    /// again.
    case moving(Entry?)
  }

  var phase = Phase.idle
  /// The newest request that came while the current one could not be replaced.
  var waiting: Entry?
  /// The replaced requests, oldest first.
  ///
  /// At most one is older than the current request, and at most one is newer. Each has absorbed the
  /// ones before it.
  private(set) var fallbacks: [Entry] = []
  /// The tickets without a request yet, and whether each was cancelled.
  private var announced: [Ticket: Bool] = [:]
  private var lastTicket: Ticket = 0
  /// The number of submitted requests.
  private(set) var lastOrder: UInt64 = 0
  private var replacedInARow = 0
  private let patience: Int

  init(patience: Int = 16) {
    self.patience = patience
  }

  /// Creates a ticket, which can be cancelled from now on.
  mutating func announce() -> Ticket {
    lastTicket += 1
    announced[lastTicket] = false
    return lastTicket
  }

  /// Submits a request; the order of these calls is the order of the snapshots.
  ///
  /// - Returns: The steps to carry out.
  mutating func submit(_ request: Request, as ticket: Ticket) -> [Step] {
    guard announced.removeValue(forKey: ticket) == false else {
      return [.answer(request, .cancelled)]
    }
    lastOrder += 1
    let entry = Entry(ticket: ticket, order: lastOrder, request: request)
    switch phase {
    case .idle:
      return prepare(entry)
    case .preparing(let current, let work) where replacedInARow < patience:
      replacedInARow += 1
      phase = .idle
      return abandon(work) + replace(current) + prepare(entry)
    case .moving(let current):
      let steps = current.map { replace($0) } ?? []
      phase = .moving(entry)
      return steps
    case .preparing, .showing:
      let steps = waiting.map { replace($0) } ?? []
      waiting = entry
      return steps
    }
  }

  /// Stores the work that prepares a request; abandons it if the attempt is no longer the current
  /// one.
  ///
  /// - Returns: The steps to carry out.
  mutating func began(_ attempt: Attempt, by work: Work) -> [Step] {
    switch phase {
    case .preparing(let entry, _) where entry.attempt == attempt:
      phase = .preparing(entry, by: work)
      return []
    case .showing(let entry) where entry.attempt == attempt: return []
    case .idle, .preparing, .showing, .moving: return abandon(work)
    }
  }

  /// Reserves the surface for a prepared request.
  ///
  /// - Returns: Whether the request must be shown now, which nothing interrupts; false if the
  ///   attempt is no longer the current one.
  mutating func show(_ attempt: Attempt) -> Bool {
    guard case .preparing(let entry, _) = phase, entry.attempt == attempt else { return false }
    phase = .showing(entry)
    replacedInARow = 0
    fallbacks.removeAll { $0.order < entry.order }
    return true
  }

  /// Ends the request being shown and continues with the next one.
  ///
  /// - Returns: The steps to carry out.
  mutating func finish(_ attempt: Attempt, _ answer: ApplyAnswer) -> [Step] {
    guard case .showing(let entry) = phase, entry.attempt == attempt else { return [] }
    return self.answer(entry, answer) + goOn()
  }

  /// Cancels a request that has not reached the surface; one that has is completed.
  ///
  /// - Returns: The steps to carry out.
  mutating func cancel(_ ticket: Ticket) -> [Step] {
    if announced[ticket] != nil {
      announced[ticket] = true
      return []
    }
    if let entry = waiting, entry.ticket == ticket {
      waiting = nil
      return answer(entry, .cancelled)
    }
    switch phase {
    case .preparing(let entry, let work) where entry.ticket == ticket && !entry.isAnswered:
      return abandon(work) + answer(entry, .cancelled) + goOn()
    case .moving(let entry?) where entry.ticket == ticket && !entry.isAnswered:
      phase = .moving(nil)
      return answer(entry, .cancelled)
    case .idle, .preparing, .showing, .moving: return []
    }
  }

  /// Continues with the newest request that was not cancelled.
  ///
  /// - Returns: The steps to carry out.
  mutating func goOn() -> [Step] {
    phase = .idle
    guard let next = waiting ?? fallbacks.popLast() else { return [] }
    waiting = nil
    return prepare(next)
  }

  mutating func prepare(_ entry: Entry) -> [Step] {
    var entry = entry
    entry.attempts += 1
    phase = .preparing(entry, by: nil)
    var request = entry.request
    for fallback in fallbacks where fallback.order < entry.order {
      request.absorb(fallback.request)
    }
    return [.prepare(entry.attempt, request)]
  }

  /// Answers a request that a newer one replaces, and keeps its snapshot in case all newer ones are
  /// cancelled.
  private mutating func replace(_ entry: Entry) -> [Step] {
    var kept = entry
    kept.isAnswered = true
    if let last = fallbacks.last, !isBetween(last, and: entry) {
      kept.request.absorb(last.request)
      fallbacks.removeLast()
    }
    fallbacks.append(kept)
    return answer(entry, .superseded)
  }

  /// Whether the current request is newer than one entry and older than the other.
  private func isBetween(_ older: Entry, and newer: Entry) -> Bool {
    switch phase {
    case .preparing(let entry, _), .showing(let entry), .moving(let entry?):
      older.order < entry.order && entry.order < newer.order
    case .idle, .moving(nil): false
    }
  }

  private func answer(_ entry: Entry, _ answer: ApplyAnswer) -> [Step] {
    entry.isAnswered ? [] : [.answer(entry.request, answer)]
  }

  func abandon(_ work: Work?) -> [Step] {
    work.map { [.abandon($0)] } ?? []
  }
}

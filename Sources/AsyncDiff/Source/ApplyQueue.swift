/// The state machine of a data source: submitted snapshots wait in line until the newest of them can be shown.
///
/// The newest waiting request is prepared. When it claims the surface, it leaves the line, and all older requests are superseded.
/// A request that is cancelled before it claims the surface leaves the line, and the newest remaining request is prepared. When a
/// newer request arrives, the current preparation is abandoned, but only `patience` times in a row, so that a fast stream of
/// snapshots cannot keep the surface from changing.
///
/// The queue is a value without locks or tasks: each transition returns the steps to carry out.
struct ApplyQueue<Request: ApplyRequest, Work: Sendable>: Sendable {
  typealias Ticket = UInt64

  /// One preparation of a request.
  ///
  /// An earlier preparation of the same request may still be running; its result is ignored.
  struct Attempt: Hashable, Sendable {
    let ticket: Ticket
    let number: Int
  }

  /// A step for the owner of the queue after a transition.
  enum Step: Sendable {
    /// Prepare a request in a task, and report the task with `began(_:by:)`.
    case prepare(Attempt, Request)
    /// Cancel the preparation of a request that will not be shown now.
    case abandon(Work)
    /// Answer a request.
    case answer(Request, ApplyAnswer)
  }

  enum Phase: Sendable {
    /// No request is being prepared, and none is waiting.
    case idle
    /// A waiting request is being prepared: its snapshot is compared, and its cells are built.
    ///
    /// The surface has not been called for the request.
    case preparing(Attempt, by: Work?)
    /// The surface carries out a request and cannot be interrupted.
    case showing(Attempt, Request)
    /// The user is moving a row; waiting requests are prepared after the move.
    case moving
  }

  private(set) var phase = Phase.idle
  private(set) var waiting = WaitingLine<Request>()
  /// The waiting requests whose `yields` is `true`; all of them count as older than the requests in `waiting`.
  private var yielding = WaitingLine<Request>()
  private var lastTicket: Ticket = 0
  private var lastAttempt = 0
  /// The number of snapshots that have claimed the surface.
  private(set) var claims: UInt64 = 0
  private var replacedInARow = 0
  /// The older requests whose marks the request that is being prepared has absorbed.
  private var absorbed: Set<Ticket> = []
  var patience = 16

  /// Creates a ticket, with which a request can be cancelled.
  mutating func nextTicket() -> Ticket {
    lastTicket += 1
    return lastTicket
  }

  /// Submits a request; the order of these calls is the order of the snapshots.
  ///
  /// If `isCancelled` is `true`, the request was cancelled before this call, so `cancel(_:)` could not find it in the queue.
  mutating func submit(
    _ request: Request, as ticket: Ticket, isCancelled: Bool = false
  ) -> [Step] {
    guard !isCancelled else { return [.answer(request, .failure(CancellationError()))] }
    guard !request.yields else {
      yielding.append(request, as: ticket)
      return prepareNewest()
    }
    var request = request
    let steps = request.supersedesAtOnce ? supersedeOlder(than: &request) : []
    waiting.append(request, as: ticket)
    return steps + prepareNewest()
  }

  /// Submits a request, unless a snapshot has claimed the surface since `claims` was read.
  mutating func submit(_ request: Request, ifClaims claims: UInt64) -> [Step]? {
    claims == self.claims ? submit(request, as: nextTicket()) : nil
  }

  /// Stores the task that prepares a request, or abandons the task if the attempt is no longer the current one.
  mutating func began(_ attempt: Attempt, by work: Work) -> [Step] {
    switch phase {
    case .preparing(attempt, _):
      phase = .preparing(attempt, by: work)
      return []
    case .showing(attempt, _): return []
    case .idle, .preparing, .showing, .moving: return [.abandon(work)]
    }
  }

  /// Claims the surface for a prepared request, which cannot be interrupted or cancelled after this call.
  ///
  /// - Returns: The steps to carry out; `nil` if the attempt is no longer the current one.
  mutating func claim(_ attempt: Attempt) -> [Step]? {
    guard case .preparing(attempt, _) = phase else { return nil }
    var older = yielding.removeAll(through: attempt.ticket)
    if older.isEmpty { older = yielding.removeAll() + waiting.removeAll(through: attempt.ticket) }
    guard let request = older.popLast()?.request else { return nil }
    phase = .showing(attempt, request)
    replacedInARow = 0
    if !request.yields { claims += 1 }
    return older.map { .answer($0.request, .success(.superseded)) }
  }

  /// Ends the request being shown, and prepares the newest waiting request.
  mutating func finish(_ attempt: Attempt, _ answer: ApplyAnswer) -> [Step] {
    guard case .showing(attempt, let request) = phase else { return [] }
    phase = .idle
    return [.answer(request, answer)] + prepareNewest()
  }

  /// Cancels a request unless it has claimed the surface.
  mutating func cancel(_ ticket: Ticket) -> [Step] {
    guard let request = waiting.remove(ticket) else { return [] }
    let answer = Step.answer(request, .failure(CancellationError()))
    guard case .preparing(let attempt, let work) = phase else { return [answer] }
    guard attempt.ticket != ticket else {
      phase = .idle
      return abandon(work) + [answer] + prepareNewest()
    }
    guard absorbed.contains(ticket) else { return [answer] }
    // The preparation restarts without the marks of the cancelled request. The queue does not prepare the newest request instead,
    // because then a stream of cancelled requests could keep the surface from ever changing.
    return abandon(work) + [answer] + prepare(attempt.ticket)
  }

  /// Reserves the surface for a row that the user moved.
  ///
  /// - Returns: The steps to carry out; `nil` while the surface is being called or another row is being moved.
  mutating func beginMove() -> [Step]? {
    switch phase {
    case .idle:
      phase = .moving
      return []
    case .preparing(_, let work):
      phase = .moving
      return abandon(work)
    case .showing, .moving: return nil
    }
  }

  /// Ends the move; waiting requests are compared with the new order.
  mutating func endMove() -> [Step] {
    guard case .moving = phase else { return [] }
    phase = .idle
    return prepareNewest()
  }

  /// Prepares the newest waiting request, unless the request being prepared must be shown first.
  private mutating func prepareNewest() -> [Step] {
    guard let newest = waiting.newest ?? yielding.newest else { return [] }
    var steps: [Step] = []
    switch phase {
    case .idle: break
    case .preparing(let attempt, let work):
      guard attempt.ticket != newest.ticket, replacedInARow < patience else { return [] }
      replacedInARow += 1
      steps = abandon(work)
    case .showing, .moving: return []
    }
    return steps + prepare(newest.ticket)
  }

  /// Prepares a waiting request, after adding the marks of the older ones to it.
  private mutating func prepare(_ ticket: Ticket) -> [Step] {
    var older = yielding.entries + waiting.entries
    while let last = older.last, last.ticket != ticket { older.removeLast() }
    guard var request = older.popLast()?.request else { return [] }
    request.absorb(older.map(\.request))
    absorbed = Set(older.lazy.filter(\.request.hasMarks).map(\.ticket))
    lastAttempt += 1
    let attempt = Attempt(ticket: ticket, number: lastAttempt)
    phase = .preparing(attempt, by: nil)
    return [.prepare(attempt, request)]
  }

  /// Answers the waiting requests, because a request that cannot be cancelled supersedes them immediately.
  ///
  /// Otherwise a stream of requests that cannot be cancelled would pile up.
  ///
  /// The request being prepared stays if it must be shown first.
  private mutating func supersedeOlder(than request: inout Request) -> [Step] {
    var kept: Ticket?
    if case .preparing(let attempt, _) = phase, replacedInARow >= patience { kept = attempt.ticket }
    let older = (yielding.entries + waiting.entries).filter { $0.ticket != kept }
    for older in older { _ = yielding.remove(older.ticket) ?? waiting.remove(older.ticket) }
    request.absorb(older.map(\.request))
    return older.map { .answer($0.request, .success(.superseded)) }
  }

  private func abandon(_ work: Work?) -> [Step] {
    work.map { [.abandon($0)] } ?? []
  }
}

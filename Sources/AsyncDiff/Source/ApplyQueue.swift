/// A request to show a snapshot.
protocol ApplyRequest: Sendable {
  /// Takes over what an older request asked for beside its snapshot, when it replaces that one.
  mutating func absorb(_ older: Self)
}

/// How a request ended.
enum ApplyAnswer: Sendable {
  case shown(ApplyOutcome)
  case superseded
  case cancelled
  case failed(any Error)
}

/// Which of the snapshots given to a data source is prepared, shown, waits, or is let go.
///
/// One is prepared or shown at a time, and the newest of the others waits. A newer one replaces one
/// that is still being prepared, but not for ever: after `patience` in a row, the next is shown before
/// anything newer, so that a fast stream of snapshots does not leave the surface as it was.
///
/// A request that was replaced is answered at once, but its snapshot is kept until a newer one reaches the
/// surface: if all newer ones are cancelled before, it is shown after all.
///
/// A value without locks or tasks: each transition returns the steps to carry out.
struct ApplyQueue<Request: ApplyRequest, Work: Sendable>: Sendable {
  typealias Ticket = UInt64

  /// What the owner of the queue has to do after a transition.
  enum Step: Sendable {
    /// Prepare a request, and say with `began(_:by:)` what does it.
    case prepare(Ticket, Request)
    /// Cancel the preparation of one that will not be shown now.
    case abandon(Work)
    /// Tell a request how it ended.
    case answer(Request, ApplyAnswer)
  }

  struct Entry: Sendable {
    let ticket: Ticket
    /// Which one was submitted first.
    let order: UInt64
    var request: Request
    /// Whether the request was replaced, and told so.
    var isAnswered = false
  }

  enum Phase: Sendable {
    /// Nothing was given, or all of it is done.
    case idle
    /// One is compared and its nodes are built; the surface was not touched for it.
    case preparing(Entry, by: Work?)
    /// The surface carries one out; nothing stops that.
    case showing(Entry)
    /// What is shown changes because the user moved a row. One that was being prepared has to be
    /// compared again.
    case moving(Entry?)
  }

  var phase = Phase.idle
  /// The newest of those that came while another could not be replaced.
  var waiting: Entry?
  /// Replaced requests, oldest first.
  ///
  /// At most one is older than what is prepared, and one is newer. Each has what the ones before it asked
  /// for.
  private var fallbacks: [Entry] = []
  /// Tickets without a request yet, and whether they were cancelled.
  private var announced: [Ticket: Bool] = [:]
  private var lastTicket: Ticket = 0
  /// How many requests were submitted.
  private(set) var lastOrder: UInt64 = 0
  private var replacedInARow = 0
  private let patience: Int

  init(patience: Int = 16) {
    self.patience = patience
  }

  /// Gives out a ticket, which can be cancelled from now on.
  mutating func announce() -> Ticket {
    lastTicket += 1
    announced[lastTicket] = false
    return lastTicket
  }

  /// Takes a request in; the order of these calls is the order of the snapshots.
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

  /// Notes what prepares a request, to be abandoned at once if the request is no longer the one.
  mutating func began(_ ticket: Ticket, by work: Work) -> [Step] {
    switch phase {
    case .preparing(let entry, _) where entry.ticket == ticket:
      phase = .preparing(entry, by: work)
      return []
    case .showing(let entry) where entry.ticket == ticket: return []
    case .idle, .preparing, .showing, .moving: return abandon(work)
    }
  }

  /// Claims the surface for a request that is prepared.
  ///
  /// - Returns: Whether it is to be shown; from now on it will be, to its end.
  mutating func show(_ ticket: Ticket) -> Bool {
    guard case .preparing(let entry, _) = phase, entry.ticket == ticket else { return false }
    phase = .showing(entry)
    replacedInARow = 0
    fallbacks.removeAll { $0.order < entry.order }
    return true
  }

  /// Ends the request being shown, and goes on with the one that waits.
  mutating func finish(_ ticket: Ticket, _ answer: ApplyAnswer) -> [Step] {
    guard case .showing(let entry) = phase, entry.ticket == ticket else { return [] }
    return self.answer(entry, answer) + goOn()
  }

  /// Cancels a request that has not reached the surface; one that has is completed.
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

  /// Goes on with the newest of what was given and not cancelled.
  mutating func goOn() -> [Step] {
    phase = .idle
    guard let next = waiting ?? fallbacks.popLast() else { return [] }
    waiting = nil
    return prepare(next)
  }

  mutating func prepare(_ entry: Entry) -> [Step] {
    phase = .preparing(entry, by: nil)
    var request = entry.request
    for fallback in fallbacks where fallback.order < entry.order {
      request.absorb(fallback.request)
    }
    return [.prepare(entry.ticket, request)]
  }

  /// Answers a request that a newer one replaces, and keeps its snapshot for the case that all newer
  /// ones are cancelled.
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

  /// Whether the request being prepared or shown is newer than one and older than the other.
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

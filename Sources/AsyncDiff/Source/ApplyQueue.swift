/// A request to show a snapshot.
protocol ApplyRequest: Sendable {
  /// Takes over what an older request asked for beside its snapshot, when it replaces that one.
  mutating func absorb(_ older: Self)
}

/// How a request ended.
enum ApplyAnswer: Equatable, Sendable {
  case shown(ApplyOutcome)
  case superseded
  case cancelled
}

/// Which of the snapshots given to a data source is prepared, shown, waits, or is let go.
///
/// One is prepared or shown at a time, and the newest of the others waits. A newer one replaces one
/// that is still being prepared, but not for ever: after `patience` in a row, the next is shown before
/// anything newer, so that a fast stream of snapshots does not leave the surface as it was.
///
/// A value without locks or tasks: each transition returns the steps to carry out.
struct ApplyQueue<Request: ApplyRequest, Work: Sendable>: Sendable {
  typealias Ticket = UInt64

  /// What the owner of the queue has to do after a transition.
  enum Step: Sendable {
    /// Prepare a request, and say with `began(_:by:)` what does it.
    case prepare(Ticket, Request)
    /// Cancel the preparation of one that will not be shown.
    case abandon(Work)
    /// Tell a request how it ended.
    case answer(Request, ApplyAnswer)
  }

  private struct Entry: Sendable {
    let ticket: Ticket
    var request: Request

    func absorbing(_ older: Entry) -> Entry {
      var entry = self
      entry.request.absorb(older.request)
      return entry
    }
  }

  private enum Phase: Sendable {
    /// Nothing was given, or all of it is done.
    case idle
    /// One is compared and its nodes are built; the surface was not touched for it.
    case preparing(Entry, by: Work?)
    /// The surface carries one out; nothing stops that.
    case showing(Entry)
  }

  private var phase = Phase.idle
  /// The newest of those that came while another could not be replaced.
  private var waiting: Entry?
  /// Tickets without a request yet, and whether they were cancelled.
  private var announced: [Ticket: Bool] = [:]
  private var lastTicket: Ticket = 0
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
    let entry = Entry(ticket: ticket, request: request)
    switch phase {
    case .idle:
      return prepare(entry)
    case .preparing(let current, let work) where replacedInARow < patience:
      replacedInARow += 1
      return abandon(work) + [.answer(current.request, .superseded)]
        + prepare(entry.absorbing(current))
    case .preparing, .showing:
      let older = waiting
      waiting = older.map(entry.absorbing) ?? entry
      return older.map { [.answer($0.request, .superseded)] } ?? []
    }
  }

  /// Notes what prepares a request, to be abandoned at once if the request is no longer the one.
  mutating func began(_ ticket: Ticket, by work: Work) -> [Step] {
    switch phase {
    case .preparing(let entry, _) where entry.ticket == ticket:
      phase = .preparing(entry, by: work)
      return []
    case .showing(let entry) where entry.ticket == ticket: return []
    case .idle, .preparing, .showing: return abandon(work)
    }
  }

  /// Claims the surface for a request that is prepared.
  ///
  /// - Returns: Whether it is to be shown; from now on it will be, to its end.
  mutating func show(_ ticket: Ticket) -> Bool {
    guard case .preparing(let entry, _) = phase, entry.ticket == ticket else { return false }
    phase = .showing(entry)
    replacedInARow = 0
    return true
  }

  /// Ends the request being shown, and goes on with the one that waits.
  mutating func finish(_ ticket: Ticket, _ outcome: ApplyOutcome) -> [Step] {
    guard case .showing(let entry) = phase, entry.ticket == ticket else { return [] }
    return [.answer(entry.request, .shown(outcome))] + goOn()
  }

  /// Cancels a request that has not reached the surface; one that has is completed.
  mutating func cancel(_ ticket: Ticket) -> [Step] {
    if announced[ticket] != nil {
      announced[ticket] = true
      return []
    }
    if let entry = waiting, entry.ticket == ticket {
      waiting = nil
      return [.answer(entry.request, .cancelled)]
    }
    guard case .preparing(let entry, let work) = phase, entry.ticket == ticket else { return [] }
    return abandon(work) + [.answer(entry.request, .cancelled)] + goOn()
  }

  private mutating func goOn() -> [Step] {
    guard let next = waiting else {
      phase = .idle
      return []
    }
    waiting = nil
    return prepare(next)
  }

  private mutating func prepare(_ entry: Entry) -> [Step] {
    phase = .preparing(entry, by: nil)
    return [.prepare(entry.ticket, entry.request)]
  }

  private func abandon(_ work: Work?) -> [Step] {
    work.map { [.abandon($0)] } ?? []
  }
}

/// Requests in the order in which they came, of which any may leave.
///
/// One that leaves keeps its place until the newest leaves, or half of the places are empty: so each call takes
/// O(1), amortised, and what it answers.
struct WaitingLine<Request: Sendable>: Sendable {
  typealias Entry = (ticket: UInt64, request: Request)

  /// The tickets in order, also some of requests that have left; the last one is there.
  private(set) var tickets: [UInt64] = []
  private var requests: [UInt64: Request] = [:]

  /// The request that came last.
  var newest: Entry? { tickets.last.flatMap(entry) }

  /// All requests, the oldest first.
  var entries: [Entry] { tickets.compactMap(entry) }

  mutating func append(_ request: Request, as ticket: UInt64) {
    tickets.append(ticket)
    requests[ticket] = request
  }

  /// Takes one request out; nil if it is not there.
  @discardableResult
  mutating func remove(_ ticket: UInt64) -> Request? {
    guard let request = requests.removeValue(forKey: ticket) else { return nil }
    tidy()
    return request
  }

  /// Takes out a request that is there and all that are older; the oldest is the first.
  mutating func removeAll(through ticket: UInt64) -> [Entry] {
    guard let place = tickets.lastIndex(of: ticket) else { return [] }
    let gone = tickets[...place].compactMap(entry)
    tickets.removeSubrange(...place)
    for entry in gone { requests[entry.ticket] = nil }
    tidy()
    return gone
  }

  mutating func removeAll() -> [Entry] { newest.map { removeAll(through: $0.ticket) } ?? [] }

  /// Forgets the places of those that have left, if they are the last ones or most of all.
  private mutating func tidy() {
    while let last = tickets.last, requests[last] == nil { tickets.removeLast() }
    if tickets.count > 2 * requests.count { tickets.removeAll { requests[$0] == nil } }
  }

  private func entry(_ ticket: UInt64) -> Entry? { requests[ticket].map { (ticket, $0) } }
}

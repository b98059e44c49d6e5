/// Requests in the order of their arrival, each of which may leave at any time.
///
/// When a request leaves, its ticket becomes stale. A stale ticket stays until it is the newest ticket, or until more than half
/// of the tickets are stale. So each call takes amortized O(1), plus the time for the requests that it returns.
struct WaitingLine<Request: Sendable>: Sendable {
  typealias Entry = (ticket: UInt64, request: Request)

  /// The tickets in order, including some stale ones; the last one is not stale.
  private(set) var tickets: [UInt64] = []
  private var requests: [UInt64: Request] = [:]

  /// The newest request.
  var newest: Entry? { tickets.last.flatMap(entry) }

  /// All requests, oldest first.
  var entries: [Entry] { tickets.compactMap(entry) }

  mutating func append(_ request: Request, as ticket: UInt64) {
    tickets.append(ticket)
    requests[ticket] = request
  }

  /// Removes and returns a request; `nil` if it is not in the line.
  @discardableResult
  mutating func remove(_ ticket: UInt64) -> Request? {
    guard let request = requests.removeValue(forKey: ticket) else { return nil }
    tidy()
    return request
  }

  /// Removes and returns a request and all older ones, oldest first; none if the request is not in the line.
  mutating func removeAll(through ticket: UInt64) -> [Entry] {
    guard let place = tickets.lastIndex(of: ticket) else { return [] }
    let gone = tickets[...place].compactMap(entry)
    tickets.removeSubrange(...place)
    for entry in gone { requests[entry.ticket] = nil }
    tidy()
    return gone
  }

  mutating func removeAll() -> [Entry] { newest.map { removeAll(through: $0.ticket) } ?? [] }

  /// Removes the newest tickets if they are stale, and all stale tickets if more than half of the tickets are stale.
  private mutating func tidy() {
    while let last = tickets.last, requests[last] == nil { tickets.removeLast() }
    if tickets.count > 2 * requests.count { tickets.removeAll { requests[$0] == nil } }
  }

  private func entry(_ ticket: UInt64) -> Entry? { requests[ticket].map { (ticket, $0) } }
}

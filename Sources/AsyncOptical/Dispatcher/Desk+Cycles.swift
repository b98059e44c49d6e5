internal import AsyncKnot

/// Detects handlers that would wait for themselves.
extension Desk {
  /// Returns whether a message that a handler performs would wait for that handler, directly or through
  /// other messages and handlers.
  ///
  /// A handler is blocked by each message that it performs. A message is blocked by the messages in flight
  /// in its lane, if they do not leave room for it.
  func waitsForItself(_ message: Letter, performedBy origin: Letter) -> Bool {
    if !hasBegun(message), !isBlocked(message, by: nil) { return false }
    var blocked: Set = [origin]
    var found: [Letter] = []
    var next = [message]
    var isReached = false
    while let letter = next.popLast() {
      isReached = isReached || letter === origin
      guard blocked.insert(letter).inserted else { continue }
      found.append(letter)
      next += hasBegun(letter) ? letter.calls : unsafe lanes.blockers(of: letter)
    }
    guard isReached else { return false }
    // Removes the letters that can continue, last found first. The remaining letters wait for each other or for `origin`.
    while let index = found.lastIndex(where: { !isBlocked($0, by: blocked) }) {
      blocked.remove(found.remove(at: index))
    }
    return blocked.contains(message)
  }

  private func hasBegun(_ letter: Letter) -> Bool { unsafe letter.runner != nil }

  /// Whether a message is blocked if only the messages of `blocked` are, or all messages if `blocked` is `nil`.
  private func isBlocked(_ letter: Letter, by blocked: Set<Letter>?) -> Bool {
    func isKnown(_ other: Letter) -> Bool { blocked?.contains(other) ?? true }
    if hasBegun(letter) { return letter.calls.contains(where: isKnown) }
    let count = unsafe lanes.blockers(of: letter).count(where: isKnown)
    // `room` visits all waiting messages, and is at most the message's own limit.
    return unsafe count > 0
      && (count >= letter.terms.limit || count >= lanes.room(for: letter))
  }
}

internal import AsyncKnot

/// Detects handlers that would wait for themselves.
extension Desk {
  /// Returns whether a message that a handler performs would wait for that handler, directly or through
  /// other messages and handlers.
  ///
  /// A handler is blocked by each message that it performs. A message is blocked by the messages in flight
  /// in its lane, if they do not leave room for it.
  func waitsForItself(_ message: Letter, performedBy origin: Letter) -> Bool {
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

  private func isBlocked(_ letter: Letter, by blocked: Set<Letter>) -> Bool {
    if hasBegun(letter) { return letter.calls.contains(where: blocked.contains) }
    let count = unsafe lanes.blockers(of: letter).count(where: blocked.contains)
    return unsafe count > 0 && count >= lanes.room(for: letter)
  }
}

internal import AsyncKnot

/// Handlers that would wait for themselves.
extension Desk {
  /// Whether a message that a handler performs would wait for what waits for this handler: for its own
  /// message, or for another one whose handler waits for it, and so on.
  ///
  /// A handler is held up by each message that it performs; a message by those in flight in its lane, if
  /// they leave no room for it.
  func waitsForItself(_ message: Letter, performedBy origin: Letter) -> Bool {
    var held: Set = [origin]
    var found: [Letter] = []
    var next = [message]
    var isReached = false
    while let letter = next.popLast() {
      isReached = isReached || letter === origin
      guard held.insert(letter).inserted else { continue }
      found.append(letter)
      next += hasBegun(letter) ? letter.calls : unsafe lanes.blockers(of: letter)
    }
    guard isReached else { return false }
    // Those that continue sooner or later are taken out, the farthest first: the others wait for themselves.
    while let index = found.lastIndex(where: { !isHeldUp($0, by: held) }) {
      held.remove(found.remove(at: index))
    }
    return held.contains(message)
  }

  private func hasBegun(_ letter: Letter) -> Bool { unsafe letter.runner != nil }

  private func isHeldUp(_ letter: Letter, by held: Set<Letter>) -> Bool {
    if hasBegun(letter) { return letter.calls.contains(where: held.contains) }
    let count = unsafe lanes.blockers(of: letter).count(where: held.contains)
    return unsafe count > 0 && count >= lanes.room(for: letter)
  }
}

/// The message in hand: started, and perhaps ended, without a look at its lane.
extension Lanes {
  /// Moves the message in hand into `occupied`: another message has come, so its handler may be
  /// suspended.
  @inlinable
  mutating func file() {
    guard let lone = inHand.take() else { return }
    occupied[lone.lane] = Occupied(inFlight: lone.flight)
  }

  /// Marks a message as in flight if no lane is occupied, without hashing.
  ///
  /// - Returns: The message's number; `nil` if the lanes must be looked at.
  @inlinable
  mutating func startAlone(in lane: Lane, as token: Token) -> Int? {
    guard inHand == nil, occupied.isEmpty, !lane.kind.isTimed else { return nil }
    lastNumber += 1
    inHand = InHand(lane: lane, flight: Flight(token: token, number: lastNumber))
    return lastNumber
  }

  /// Ends the message in hand.
  ///
  /// - Returns: Whether the message in hand has this number.
  @inlinable
  mutating func finishAlone(_ number: Int) -> Bool {
    guard inHand?.flight.number == number else { return false }
    inHand = nil
    return true
  }
}

/// What ends with the holder, though it is kept elsewhere.
extension KnotCore {
  /// Has something called when the holder goes; at once where it is gone already.
  ///
  /// - Parameter end: What to call, from the thread on which the holder goes.
  /// - Returns: The ticket for `removeEnding`.
  @usableFromInline
  func addEnding(_ end: @escaping @Sendable () -> Void) -> UInt64 {
    let (ticket, isFinished) = withStorage { storage in
      (storage.endings.insert(end), storage.isFinished)
    }
    guard isFinished else { return ticket }
    removeEnding(ticket)
    end()
    return ticket
  }

  /// Gives the ending of a ticket something else to call.
  ///
  /// - Returns: `false` when the ending was removed, or the holder has gone in the meantime.
  @usableFromInline
  func replaceEnding(_ ticket: UInt64, with end: @escaping @Sendable () -> Void) -> Bool {
    withStorage { $0.endings.replace(ticket, with: end) }
  }

  /// Takes an ending out; without effect the second time.
  @usableFromInline
  func removeEnding(_ ticket: UInt64) {
    let removed = withStorage { $0.endings.remove(ticket) }
    withExtendedLifetime(removed) {}
  }
}

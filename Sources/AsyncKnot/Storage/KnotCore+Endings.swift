/// Endings: closures that are called when the holder is gone.
extension KnotCore {
  /// Registers a closure that is called when the holder goes; calls it at once if the holder is
  /// gone.
  ///
  /// - Parameter end: The closure, called on the thread on which the holder is released.
  /// - Returns: The ticket for `replaceEnding` and `removeEnding`.
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

  /// Replaces the closure of an ending.
  ///
  /// - Returns: `false` if the ending was removed, or the holder went in the meantime.
  @usableFromInline
  func replaceEnding(_ ticket: UInt64, with end: @escaping @Sendable () -> Void) -> Bool {
    withStorage { $0.endings.replace(ticket, with: end) }
  }

  /// Removes an ending; the second call does nothing.
  @usableFromInline
  func removeEnding(_ ticket: UInt64) {
    let removed = withStorage { $0.endings.remove(ticket) }
    withExtendedLifetime(removed) {}
  }
}

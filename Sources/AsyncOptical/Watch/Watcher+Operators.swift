internal import Synchronization

extension Watcher {
  /// Delivers a transformed value for each value.
  ///
  /// - Parameter transform: Makes the value to deliver; may be called on any isolation.
  /// - Returns: A new watcher; this one does not change.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> Watcher<Mapped> {
    Watcher<Mapped>(
      start: { [start] in
        let start = start()
        return Watcher<Mapped>.Start(
          current: start.current.map(transform),
          next: { actor in await start.next(actor).map(transform) }, interrupt: start.interrupt,
          end: start.end)
      }, crowd: crowd)
  }

  /// Delivers only the values that satisfy a predicate.
  ///
  /// - Parameter isIncluded: Whether to deliver a value; may be called on any isolation.
  /// - Returns: A new watcher; this one does not change.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Watcher {
    Watcher(
      start: { [start] in
        let start = start()
        return Start(
          current: start.current.flatMap { isIncluded($0) ? $0 : nil },
          next: { actor in
            while let value = await start.next(actor) {
              if isIncluded(value) { return value }
            }
            return nil
          }, interrupt: start.interrupt,
          end: start.end)
      }, crowd: crowd)
  }

  /// Delivers a value only if it differs from the one before.
  ///
  /// ```swift
  /// feed.watch.map(\.isLoading).removeDuplicates().live { isLoading in spin(isLoading) }
  /// ```
  /// A handler that is resumed after a pause receives the newest value first, even if it is equal
  /// to the last one before the pause.
  ///
  /// - Returns: A new watcher; this one does not change.
  public func removeDuplicates() -> Watcher where Value: Equatable {
    Watcher(
      start: { [start] in
        let start = start()
        let last = LastValue(start.current)
        return Start(
          current: start.current,
          next: { actor in
            while let value = await start.next(actor) {
              if last.exchange(value) != value { return value }
            }
            return nil
          }, interrupt: start.interrupt,
          end: start.end)
      }, crowd: crowd)
  }
}

/// The last value that one observer received.
private final class LastValue<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) { self.value = Mutex(value) }

  /// Stores a value and returns the one before, so that no value is compared or released under the
  /// lock.
  func exchange(_ next: Value) -> Value? {
    value.withLock { value in
      defer { value = next }
      return value
    }
  }
}

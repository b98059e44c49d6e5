internal import Synchronization

extension Watcher {
  /// Delivers other values, made of each one.
  ///
  /// - Parameter transform: Makes the value to deliver.
  /// - Returns: A watcher of its own; this one stays as it is.
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

  /// Delivers only some of the values.
  ///
  /// - Parameter isIncluded: Whether to deliver a value.
  /// - Returns: A watcher of its own; this one stays as it is.
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

  /// Delivers a value only where it differs from the one before.
  ///
  /// ```swift
  /// feed.watch.map(\.isLoading).removeDuplicates().live { isLoading in spin(isLoading) }
  /// ```
  /// A handler that is resumed after a pause gets the newest value first, whatever it got before.
  ///
  /// - Returns: A watcher of its own; this one stays as it is.
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

/// The value that one observer got last.
private final class LastValue<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) { self.value = Mutex(value) }

  /// Puts a value in and returns the one before, so that no value is compared, or dies, under the lock.
  func exchange(_ next: Value) -> Value? {
    value.withLock { value in
      defer { value = next }
      return value
    }
  }
}

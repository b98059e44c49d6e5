public import Testing

/// Checks that an object is released once nothing should hold it anymore.
///
/// ```swift
/// var account: Account? = Account()
/// let probe = account.map { LifetimeProbe($0) }
/// account = nil
/// await probe?.expectReleased()
/// ```
/// The probe holds the object weakly. You can use it from any isolation.
public final class LifetimeProbe: Sendable {
  private let isAlive: @Sendable () -> Bool
  private let name: String
  /// Returns the number of observers registered with the object.
  package let observers: @Sendable () -> Int

  /// Watches an object.
  ///
  /// - Parameters:
  ///   - object: The object that should be released later.
  ///   - sourceLocation: The call site, which identifies the probe in reports.
  public convenience init<Object: AnyObject & Sendable>(
    _ object: Object, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(object, observers: { 0 }, sourceLocation: sourceLocation)
  }

  package init<Object: AnyObject & Sendable>(
    _ object: Object, observers: @escaping @Sendable () -> Int, sourceLocation: SourceLocation
  ) {
    isAlive = { [weak object] in object != nil }
    self.observers = observers
    name = "\(Object.self) (\(sourceLocation.place))"
  }

  /// Whether the object has been released.
  public var isReleased: Bool { !isAlive() }

  /// Lets other tasks run, and records an issue if the object still exists or still has registered observers.
  ///
  /// In an exploration, the check takes place when no other job is ready. Outside an exploration, other tasks run on other
  /// threads and the check yields a limited number of times, so first await the tasks that hold the object. Cancellation
  /// does not end the wait.
  ///
  /// - Parameter sourceLocation: Where the issue is recorded.
  public func expectReleased(sourceLocation: SourceLocation = #_sourceLocation) async {
    await untilIdle(while: !isReleased || observers() > 0)
    if !isReleased {
      Verdict.record(
        "\(name) was not released; look for a task, a closure or a property that still holds it",
        sourceLocation: sourceLocation)
    }
    let count = observers()
    if count > 0 {
      Verdict.record(
        "\(name) still has \(counted(count, "registered observer"))",
        sourceLocation: sourceLocation)
    }
  }
}

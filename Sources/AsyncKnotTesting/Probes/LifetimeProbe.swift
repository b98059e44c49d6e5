internal import AsyncKnot
public import Testing

/// Checks that an object is released when no other object should hold it any more.
///
/// ```swift
/// var node: CountNode? = CountNode()
/// let probe = node.map { LifetimeProbe($0) }
/// node = nil
/// await probe?.expectReleased()
/// ```
/// The probe holds the object weakly. For a state holder it also counts the observers that are still
/// registered with its state. A probe may be used from any isolation.
public final class LifetimeProbe: Sendable {
  private let isAlive: @Sendable () -> Bool
  private let observerCount: @Sendable () -> Int
  private let name: String

  /// Watches an object; of a state holder also its observers.
  ///
  /// - Parameters:
  ///   - object: The object that should be released later.
  ///   - sourceLocation: The place of the call, by which reports name the probe.
  public init<Object: AnyObject & Sendable>(
    _ object: Object, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reference = WeakReference(object)
    isAlive = { reference.object != nil }
    observerCount = if let holder = object as? any StateSource { counter(holder) } else { { 0 } }
    name = "\(Object.self) (\(sourceLocation.place))"
  }

  /// Whether the object has been released.
  public var isReleased: Bool { !isAlive() }

  /// How many observers are registered with the holder's state; 0 where the object is no holder.
  public var registeredObservers: Int { observerCount() }

  /// Lets other tasks run, and records an issue if the object or an observer is still there.
  ///
  /// In an exploration all tasks that can run have run before the check. Elsewhere they run on threads of
  /// their own, and the check waits a limited number of turns: first await the tasks that hold the object.
  /// Cancellation does not end the wait.
  ///
  /// - Parameter sourceLocation: The place at which the issue is recorded.
  public func expectReleased(sourceLocation: SourceLocation = #_sourceLocation) async {
    await untilIdle(while: !isReleased || registeredObservers > 0)
    if !isReleased {
      Verdict.record("\(name) is still held", sourceLocation: sourceLocation)
    }
    let observers = registeredObservers
    if observers > 0 {
      Verdict.record(
        "\(name) still has \(observers) registered observers", sourceLocation: sourceLocation)
    }
  }
}

/// Counts the observers of a state holder, without holding it.
private func counter(_ holder: some StateSource) -> @Sendable () -> Int {
  holder.knot.observerCounter
}

public import AsyncKnot
public import Testing

/// Proves that an object is released once nobody should hold it any more.
///
/// ```swift
/// var node: ProfileNode? = ProfileNode()
/// let probe = LifetimeProbe(node!)
/// node = nil
/// await probe.expectReleased()
/// ```
/// The probe holds the object weakly. For a state holder it also counts the observers that are still
/// registered with its state.
public final class LifetimeProbe: Sendable {
  private let isAlive: @Sendable () -> Bool
  private let observerCount: @Sendable () -> Int
  private let name: String

  /// Watches an object.
  ///
  /// - Parameters:
  ///   - object: What should be released.
  ///   - sourceLocation: Where the probe is made, for its reports.
  public init<Object: AnyObject & Sendable>(
    _ object: Object, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reference = WeakReference(object)
    isAlive = { reference.object != nil }
    observerCount = { 0 }
    name = "\(Object.self) (\(sourceLocation.place))"
  }

  /// Watches a state holder and its observers.
  ///
  /// - Parameters:
  ///   - holder: What should be released.
  ///   - sourceLocation: Where the probe is made, for its reports.
  public init<Holder: StateSource>(
    _ holder: Holder, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reference = WeakReference(holder)
    isAlive = { reference.object != nil }
    observerCount = holder.knot.observerCounter
    name = "\(Holder.self) (\(sourceLocation.place))"
  }

  /// Whether the object is gone.
  public var isReleased: Bool { !isAlive() }

  /// How many observers are registered with the holder's state; 0 where the object is no holder.
  public var registeredObservers: Int { observerCount() }

  /// Records an issue unless the object and its observers are gone once other tasks had their turn.
  ///
  /// Under an exploration all tasks that can run have run by then. Elsewhere they run on threads of
  /// their own; await those that hold the object first.
  ///
  /// - Parameter sourceLocation: Where the issue is recorded.
  public func expectReleased(sourceLocation: SourceLocation = #_sourceLocation) async {
    await untilIdle(while: !isReleased || registeredObservers > 0)
    if !isReleased {
      Issue.record("\(name) is still held", sourceLocation: sourceLocation)
    }
    let observers = registeredObservers
    if observers > 0 {
      Issue.record(
        "\(name) still has \(observers) registered observers", sourceLocation: sourceLocation)
    }
  }
}

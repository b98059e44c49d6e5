public import AsyncKnot
public import ExploreTesting
public import Testing

extension LifetimeProbe {
  /// Watches a state holder, and the observers that are registered with its state.
  ///
  /// ```swift
  /// var node: CountNode? = CountNode()
  /// let probe = node.map { LifetimeProbe($0) }
  /// node = nil
  /// await probe?.expectReleased()
  /// ```
  ///
  /// - Parameters:
  ///   - holder: The holder that should be released later.
  ///   - sourceLocation: The place of the call, by which reports name the probe.
  public convenience init<Holder: StateSource>(
    _ holder: Holder, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(holder, observers: holder.knot.observerCounter, sourceLocation: sourceLocation)
  }

  /// How many observers are registered with the holder's state; 0 where the object is no holder.
  public var registeredObservers: Int { observers() }
}

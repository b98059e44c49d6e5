public import AsyncKnot
public import ExploreTesting
public import Testing

extension LifetimeProbe {
  /// Watches a state holder and the observers of its state.
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
  ///   - sourceLocation: The location of the call, which identifies the probe in reports.
  public convenience init<Holder: StateSource>(
    _ holder: Holder, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(holder, observers: holder.knot.observerCounter, sourceLocation: sourceLocation)
  }

  /// The number of observers of the holder's state; 0 if the object is not a holder.
  public var registeredObservers: Int { observers() }
}

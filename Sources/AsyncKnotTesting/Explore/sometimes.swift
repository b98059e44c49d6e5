/// Demands that a condition holds in some run of the exploration.
///
/// ```swift
/// await explore(seeds: 1_000) {
///   …
///   sometimes("both waited", first.hasWaited && second.hasWaited)
/// }
/// ```
/// An exploration in which no run has met it fails: its scenario does not get where it should.
///
/// - Parameters:
///   - name: What the condition is called in the report.
///   - condition: Whether it is met; one run in which it is met is enough.
public func sometimes(_ name: String, _ condition: Bool = true) {
  Explorer.current?.testContext?.meet(name, condition)
}

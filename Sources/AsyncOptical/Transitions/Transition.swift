/// A change of a state, with its cause.
///
/// ```swift
/// for await transition in feed.transitions { print(transition) }
/// // loaded(["a"])
/// //   titles[0]: added "a"
/// ```
public struct Transition<Cause: Sendable, State: Sendable>: Sendable {
  /// Why the state changed; `nil` if a state was restored.
  public let cause: Cause?
  /// The state before the change.
  public let before: State
  /// The state after the change.
  public let after: State

  /// Creates a transition.
  public init(cause: Cause?, before: State, after: State) {
    self.cause = cause
    self.before = before
    self.after = after
  }
}

extension Transition: Equatable where Cause: Equatable, State: Equatable {}

extension Transition: CustomStringConvertible {
  package var causeText: String { cause.map { "\($0)" } ?? "restored" }

  /// The cause, followed by a line for each difference between the two states.
  public var description: String {
    let changes = StateDifference(from: before, to: after).lines
    return ([causeText] + (changes.isEmpty ? ["no change"] : changes)).joined(separator: "\n  ")
  }
}

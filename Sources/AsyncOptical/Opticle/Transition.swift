public import AsyncKnot

/// One change of state and why it came about.
///
/// ```swift
/// for await transition in feed.transitions { print(transition) }
/// // response(["a"])
/// //   titles: [] → ["a"]
/// ```
/// It prints the cause and what differs.
public struct Transition<Cause: Sendable, State: Sendable>: Sendable {
  /// Why the state changed.
  public let cause: Cause
  /// The state before.
  public let before: State
  /// The state after.
  public let after: State

  /// Creates a transition.
  ///
  /// - Parameters:
  ///   - cause: Why the state changed.
  ///   - before: The state before.
  ///   - after: The state after.
  public init(cause: Cause, before: State, after: State) {
    self.cause = cause
    self.before = before
    self.after = after
  }
}

extension Transition: CustomStringConvertible {
  /// The cause, then a line for each difference of the two states.
  public var description: String {
    let changes = StateDifference(from: before, to: after).lines
    return (["\(cause)"] + (changes.isEmpty ? ["no change"] : changes)).joined(separator: "\n  ")
  }
}

/// Why an opticle's state changed.
public enum CommitCause<Request: Sendable, Response: Sendable>: Sendable {
  /// A response was committed.
  case response(Response)
  /// A failed request was committed.
  case failure(Request, any Error)
  /// An operator such as `pipe(to:)` reduced an event.
  case reduced
  /// An earlier state was put back.
  case restored
}

extension Opticle {
  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read and ends when the sequence and its iterators are
  /// dropped. Nothing is copied or kept while nobody listens.
  public nonisolated var transitions: TransitionSequence<CommitCause<Request, Response>, State> {
    TransitionSequence(records: desk.records.subscribe())
  }
}

/// The hooks of an opticle: each write is a commit.
public enum CommitHooks {}

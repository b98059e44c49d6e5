/// The cause of a change of an opticle's state.
///
/// ```swift
/// for await transition in feed.transitions {
///   if case .failure(let request, let error) = transition.cause { log("\(request): \(error)") }
/// }
/// ```
public enum CommitCause<Request: Sendable, Response: Sendable>: TransitionCause {
  /// A response was committed.
  case response(Response)
  /// A failed request was committed.
  case failure(Request, any Error)
  /// An operator such as `pipe(to:)`, or `reduce`, changed the state.
  case reduced
  /// An earlier state was restored.
  case restored

  /// Whether this is the cause of a `restore`.
  public var isRestored: Bool { if case .restored = self { true } else { false } }
}

extension CommitCause: Equatable where Request: Equatable, Response: Equatable {
  /// Whether both causes are equal.
  ///
  /// Errors are equal if they have the same type and are equal by its `==`; errors of a type
  /// without `==` are equal if they print the same.
  ///
  /// - Parameters:
  ///   - left: A cause.
  ///   - right: Another cause.
  /// - Returns: Whether they are equal.
  public static func == (left: CommitCause, right: CommitCause) -> Bool {
    switch (left, right) {
    case (.response(let left), .response(let right)): left == right
    case (.failure(let left, let error), .failure(let right, let other)):
      left == right && areEqual(error, other)
    case (.reduced, .reduced), (.restored, .restored): true
    case (.response, _), (.failure, _), (.reduced, _), (.restored, _): false
    }
  }

  private static func areEqual(_ left: any Error, _ right: any Error) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    guard let left = left as? any Equatable else { return "\(left)" == "\(right)" }
    return left.equals(right)
  }
}

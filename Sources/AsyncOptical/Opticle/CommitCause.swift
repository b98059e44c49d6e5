/// Why an opticle's state changed.
public enum CommitCause<Request: Sendable, Response: Sendable>: TransitionCause {
  /// A response was committed.
  case response(Response)
  /// A failed request was committed.
  case failure(Request, any Error)
  /// An operator such as `pipe(to:)` reduced an event.
  case reduced
  /// An earlier state was put back.
  case restored

  /// Whether an earlier state was put back.
  public var isRestored: Bool { if case .restored = self { true } else { false } }
}

extension CommitCause: Equatable where Request: Equatable, Response: Equatable {
  /// Whether both causes are the same; errors are equal where they are of one type that says so, or
  /// print the same where it does not say.
  ///
  /// - Parameters:
  ///   - left: A cause.
  ///   - right: Another one.
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

/// The hooks of an opticle: each write is a commit.
public enum CommitHooks {}

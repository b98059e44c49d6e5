/// The cause of a change of an opticle's state.
public enum CommitCause<Request: Sendable, Response: Sendable>: Sendable {
  /// A response was committed.
  case response(Response)
  /// A failed request was committed.
  case failure(Request, any Error)
  /// An operator such as `pipe(to:)`, or `reduce`, changed the state.
  case reduced
}

extension CommitCause: Equatable where Request: Equatable, Response: Equatable {
  /// Whether both are equal; errors of one type without `==` are if they print the same.
  public static func == (left: CommitCause, right: CommitCause) -> Bool {
    switch (left, right) {
    case (.response(let left), .response(let right)): left == right
    case (.failure(let left, let error), .failure(let right, let other)):
      left == right && areEqual(error, other)
    case (.reduced, .reduced): true
    case (.response, _), (.failure, _), (.reduced, _): false
    }
  }
}

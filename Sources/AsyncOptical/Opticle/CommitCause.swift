/// The reason why an opticle's state changed.
public enum CommitCause<Request: Sendable, Response: Sendable>: Sendable {
  /// A response was committed.
  case response(Response)
  /// The response of a load was committed.
  case loaded(Response)
  /// The error of a request was committed.
  case failure(Request, any Error)
  /// A response was shown before its request was answered: the expected response, or one that was passed as `showing:`.
  case expected(Response)
  /// A change that a request has shown was removed, because the request was superseded, cancelled or dropped, or ended without a
  /// response for another reason.
  case withdrawn(Request)
}

extension CommitCause: Equatable where Request: Equatable, Response: Equatable {
  /// Returns whether two causes are equal.
  ///
  /// Two errors of a type that is not `Equatable` are equal if their descriptions are equal.
  public static func == (left: CommitCause, right: CommitCause) -> Bool {
    switch (left, right) {
    case (.response(let left), .response(let right)): left == right
    case (.loaded(let left), .loaded(let right)): left == right
    case (.failure(let left, let error), .failure(let right, let other)):
      left == right && areEqual(error, other)
    case (.expected(let left), .expected(let right)): left == right
    case (.withdrawn(let left), .withdrawn(let right)): left == right
    case (.response, _), (.loaded, _), (.failure, _), (.expected, _), (.withdrawn, _): false
    }
  }
}

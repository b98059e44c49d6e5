/// The cause of a change of an opticle's state.
public enum CommitCause<Request: Sendable, Response: Sendable>: Sendable {
  /// A response was committed.
  case response(Response)
  /// What a load has found was committed.
  case loaded(Response)
  /// A failed request was committed.
  case failure(Request, any Error)
  /// A response was shown before its request has answered.
  case expected(Response)
  /// What a request has shown was taken back without an answer: it was superseded, cancelled or
  /// dropped.
  case withdrawn(Request)
}

extension CommitCause: Equatable where Request: Equatable, Response: Equatable {
  /// Whether both are equal; errors of one type without `==` are if they print the same.
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

public import AsyncKnot

/// A request and response state machine, as an actor.
///
/// ```swift
/// actor Feed: Opticle {
///   struct State: Sendable { var titles: [String] = [], message = "" }
///   enum Request { case load }
///   let knot = Knot(State())
///   let service = FeedService()
///
///   func dispatch(_ request: Request) async {
///     await commit(from: request) { try await service.titles() }
///   }
///   func mutate(_ state: inout State, response: [String]) { state.titles = response }
///   func recover(_ state: inout State, request: Request, error: any Error) {
///     state.message = "\(error)"
///   }
/// }
/// ```
/// Only commits and restores write the state. A request is either awaited, `await
/// feed.dispatch(.load)`, as part of the caller's task, or sent, `feed.send(.load)`, which obeys
/// `policy(for:)`.
public protocol Opticle: Dispatcher
where Dispatched == Request, ChangeCause == CommitCause<Request, Response> {
  /// The type of the requests.
  associatedtype Request: Sendable
  /// The type of the responses, which commits apply to the state; inferred from `mutate`.
  ///
  /// With the default the compiler shows how to write a `mutate` that it cannot take.
  associatedtype Response: Sendable = Never

  /// Carries out a request: calls services, then commits their results.
  ///
  /// Others may start while it is suspended, as `policy(for:)` says. What it, its child tasks or a
  /// `Task {}` of its own commit after it was cancelled or superseded is dropped.
  func dispatch(_ request: Request) async

  /// The response that a request is expected to have; by default, none.
  ///
  /// ```swift
  /// func expectation(of request: Int) -> [String]? { nil }
  /// ```
  /// It is shown from the moment in which the request is taken from the mailbox, also while the request
  /// waits for others of its policy. The first `commit` that names this request answers it; without one it
  /// is removed when the dispatch returns.
  func expectation(of request: Request) -> Response?

  /// Applies a response to the state; a reducer, which must read and write no holder's state but its
  /// `inout` parameter.
  func mutate(_ state: inout State, response: Response)

  /// Applies a failure to the state; a reducer: the one place where a service's error shows.
  func recover(_ state: inout State, request: Request, error: any Error)
}

extension Opticle {
  /// `nil`: no response is expected.
  @inlinable
  public func expectation(of request: Request) -> Response? { nil }

  /// What ``expectation(of:)`` says.
  @inlinable
  public func expectedChange(of request: Request) -> ExpectedChange<Self>? {
    expectation(of: request).map { change(expecting: $0, of: request) }
  }
}

// An unavailable method satisfies no requirement: in place of a missing one it shows the signature.
extension Opticle {
  /// Is required of every opticle.
  @available(
    *, unavailable,
    message:
      "write 'func mutate(_ state: inout State, response: Response)': it changes the state in place and returns nothing"
  )
  public func mutate(_ state: inout State, response: Response) {}

  /// Is required of every opticle.
  @available(
    *, unavailable,
    message:
      "write 'func recover(_ state: inout State, request: Request, error: any Error)': without it every error would be lost"
  )
  public func recover(_ state: inout State, request: Request, error: any Error) {}
}

// What writes a `StateHolder` from outside: the compiler shows what to write instead.
extension Opticle {
  /// Is refused: only commits change the state.
  @available(
    *, unavailable,
    message:
      "only commits change the state of an opticle; write 'commit(_:)' within it, or 'send(_:)' a request to it"
  )
  public func reduce(_ body: (inout State) -> Void) {}

  /// Is refused: only commits change the state.
  @available(
    *, unavailable,
    message:
      "only commits change the state of an opticle; write 'commit(_:)' within it, or 'send(_:)' a request to it"
  )
  public func sink(_ state: State) {}
}

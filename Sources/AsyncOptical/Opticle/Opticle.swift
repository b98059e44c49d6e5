public import AsyncKnot

/// An actor that runs requests and changes its state with their responses.
///
/// ```swift
/// actor Feed: Opticle {
///   struct State: Sendable, Equatable { var titles: [String] = [], message = "" }
///   enum Request { case load }
///   let knot = Knot(State())
///   let service = FeedService()
///
///   func dispatch(_ request: Request) async {
///     await load(from: request) { try await service.titles() }
///   }
///   func mutate(_ state: inout State, response: [String]) {
///     (state.titles, state.message) = (response, "")
///   }
///   func recover(_ state: inout State, request: Request, error: any Error) {
///     state.message = "\(error)"
///   }
/// }
/// ```
/// Only commits, loads, restores, undo and redo write the state. `await feed.dispatch(.load)` runs a request in the caller's
/// task. `feed.send(.load)` sends a request, which then obeys `policy(for:)`.
public protocol Opticle: Dispatcher
where Dispatched == Request, ChangeCause == CommitCause<Request, Response> {
  /// The type of the requests.
  associatedtype Request: Sendable
  /// The type of the responses, which commits apply to the state.
  ///
  /// This type is inferred from `mutate`. If your `mutate` has the wrong signature, this type defaults to `Never`, and the
  /// compiler shows the right signature.
  associatedtype Response: Sendable = Never

  /// Runs a request: calls services, then commits their results.
  ///
  /// Other requests may start while this method is suspended, depending on `policy(for:)`. Once the request is cancelled or
  /// superseded, the commits of this method are dropped, and so are those of its child tasks and of each `Task {}` that it
  /// started.
  func dispatch(_ request: Request) async

  /// Returns the response to show before the request is answered; by default `nil`.
  ///
  /// ```swift
  /// func expectation(for request: Int) -> [String]? { nil }
  /// ```
  /// The response is shown as soon as the request is taken from the mailbox, even while its policy makes it
  /// wait for other requests. The first `commit` that names this request answers it. If no commit does,
  /// the response is removed when the dispatch returns. Requests that are not `Equatable` are compared by their descriptions.
  func expectation(for request: Request) -> Response?

  /// Applies a response to the state.
  ///
  /// If the opticle loads or shows expected responses, a response may be applied to a state that already contains it, so set or
  /// remove values instead of toggling or appending. Only the response of a `load` is applied just once, to the base.
  ///
  /// This method is a reducer: it must not use the state of a holder except its `inout` parameter.
  func mutate(_ state: inout State, response: Response)

  /// Applies an error to the state.
  ///
  /// This reducer is the only code that handles the errors of services. Unlike `mutate`, it may count or append, because the
  /// server's data does not contain its change.
  func recover(_ state: inout State, request: Request, error: any Error)
}

extension Opticle {
  /// Returns `nil`, so no response is expected.
  @inlinable
  public func expectation(for request: Request) -> Response? { nil }

  /// Returns the change that applies the response of ``expectation(for:)``.
  @inlinable
  public func expectedChange(for request: Request) -> ExpectedChange<Self>? {
    expectation(for: request).map { change(expecting: $0, of: request) }
  }
}

// An unavailable method satisfies no requirement. The compiler shows the message of such a method if an opticle does not
// implement it.
extension Opticle {
  /// Unavailable: an opticle must declare this method itself, unless its requests are of type `Work`.
  @available(
    *, unavailable,
    message:
      "write 'func dispatch(_ request: Request) async', which does not throw: 'commit(from:)' and 'load(from:)' pass errors to 'recover'"
  )
  public func dispatch(_ request: Request) async {}

  /// Unavailable: an opticle must declare this method itself, unless its responses are of type `Change<State>`.
  @available(
    *, unavailable,
    message:
      "write 'func mutate(_ state: inout State, response: Response)', which changes the state in place and returns nothing"
  )
  public func mutate(_ state: inout State, response: Response) {}

  /// Unavailable: an opticle must declare this method itself, unless its requests are of type `Work` and its responses are of
  /// type `Change<State>`.
  @available(
    *, unavailable,
    message:
      "write 'func recover(_ state: inout State, request: Request, error: any Error)', because errors would be lost without it"
  )
  public func recover(_ state: inout State, request: Request, error: any Error) {}
}

// Unavailable versions of a `StateHolder`'s methods, so that the compiler shows what to write instead.
extension Opticle {
  /// Unavailable: only commits, loads and restores change the state.
  @available(
    *, unavailable,
    message:
      "only commits change the state of an opticle; call 'commit(_:)' inside it, or send it a request with 'send(_:)'"
  )
  public func reduce(_ body: (inout State) -> Void) {}

  /// Unavailable: only commits, loads and restores change the state.
  @available(
    *, unavailable,
    message:
      "only commits change the state of an opticle; call 'commit(_:)' inside it, or send it a request with 'send(_:)'"
  )
  public func sink(_ state: State) {}
}

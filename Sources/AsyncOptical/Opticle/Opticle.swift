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
public protocol Opticle: Dispatcher, StateHolder
where Dispatched == Request, ChangeCause == CommitCause<Request, Response> {
  /// The type of the requests.
  associatedtype Request: Sendable
  /// The type of the responses, which commits apply to the state.
  associatedtype Response: Sendable

  // Carries out a request: calls services, then commits their results.
  //
  // Other requests may start while this one is suspended; `policy(for:)` decides which. Its
  // commits are dropped once it is cancelled or superseded.
  func dispatch(_ request: Request) async

  // Applies a response to the state.
  //
  // The method is a reducer and runs under a lock: `state` is the newest state; reading the
  // opticle's state or committing here is an error and traps.
  func mutate(_ state: inout State, response: Response)

  // Applies a failure to the state: the one place where a service's error becomes visible.
  //
  // The method is a reducer, like `mutate`.
  func recover(_ state: inout State, request: Request, error: any Error)
}

extension Opticle {
  /// Calls `dispatch` for a request that starts.
  ///
  /// - Parameter message: The request.
  @inlinable @inline(__always)
  public func carryOut(dispatched message: Request) async { await dispatch(message) }
}

// Both methods are required. The unavailable ones below replace a missing one, so that the compiler
// shows its signature: an unavailable method cannot satisfy a requirement.
extension Opticle {
  /// Is required of every opticle.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - response: The committed response.
  @available(
    *, unavailable,
    message:
      "write 'func mutate(_ state: inout State, response: Response)': it changes the state in place and returns nothing"
  )
  public func mutate(_ state: inout State, response: Response) {}

  /// Is required of every opticle.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - request: The request that failed.
  ///   - error: The error with which it failed.
  @available(
    *, unavailable,
    message:
      "write 'func recover(_ state: inout State, request: Request, error: any Error)': without it every error would be lost"
  )
  public func recover(_ state: inout State, request: Request, error: any Error) {}
}

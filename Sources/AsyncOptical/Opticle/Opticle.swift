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
/// Only commits write the state. A request is either awaited, `await feed.dispatch(.load)`, as part of the
/// caller's task, or sent, `feed.send(.load)`, which obeys `policy(for:)`.
public protocol Opticle: Dispatcher, StateHolder
where
  Dispatched == Request, ChangeCause == CommitCause<Request, Response>, Hooks == CommitHooks
{
  /// What can be asked for.
  associatedtype Request: Sendable
  /// What is brought into the state.
  associatedtype Response: Sendable

  /// Carries a request out: calls services, then commits what they gave.
  ///
  /// Other requests are dispatched while it is suspended; `policy(for:)` says which. Its commits are
  /// dropped once it is cancelled or superseded.
  ///
  /// - Parameter request: What is asked for.
  func dispatch(_ request: Request) async

  /// Brings a response into the state.
  ///
  /// It is a reducer: `state` is the newest state, and the opticle must not be read or committed to here.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - response: What was committed.
  func mutate(_ state: inout State, response: Response)

  /// Brings a failure into the state: the one place where an error that a service threw becomes visible.
  ///
  /// It is a reducer, like `mutate`.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - request: The request that failed.
  ///   - error: Why it failed; never a cancellation.
  func recover(_ state: inout State, request: Request, error: any Error)
}

extension Opticle {
  /// Dispatches a request whose turn has come.
  ///
  /// - Parameter message: The request.
  @inlinable @inline(__always)
  public func carryOut(dispatched message: Request) async { await dispatch(message) }
}

// Both methods are required. These stand in for one that is missing, so that the compiler can say how
// it is spelled: an unavailable method cannot satisfy a requirement.
extension Opticle {
  /// Is required of every opticle.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - response: What was committed.
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
  ///   - error: Why it failed.
  @available(
    *, unavailable,
    message:
      "write 'func recover(_ state: inout State, request: Request, error: any Error)': without it every error would be lost"
  )
  public func recover(_ state: inout State, request: Request, error: any Error) {}
}

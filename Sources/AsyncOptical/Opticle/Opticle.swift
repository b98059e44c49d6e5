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
///   func recover(_ state: inout State, request: Request, error: any Error) { state.message = "\(error)" }
/// }
/// ```
/// Only commits write the state. A request is either awaited, `await feed.dispatch(.load)`, as part of the
/// caller's task, or sent, `feed.send(.load)`, which obeys `policy(for:)`.
public protocol Opticle: Actor, StateHolder where Hooks == CommitHooks {
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

  /// Brings a response into the state. By default, nothing changes.
  ///
  /// It is a reducer: `state` is the newest state, and the opticle must not be read or committed to here.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - response: What was committed.
  func mutate(_ state: inout State, response: Response)

  /// Brings a failure into the state. By default, nothing changes.
  ///
  /// - Parameters:
  ///   - state: The state, to be changed in place.
  ///   - request: The request that failed.
  ///   - error: Why it failed; never a cancellation.
  func recover(_ state: inout State, request: Request, error: any Error)

  /// How a request that is sent goes together with those in flight. By default, `.concurrent`.
  ///
  /// - Parameter request: The request that was sent.
  /// - Returns: The policy, asked for on the opticle when the request's turn to be looked at comes.
  nonisolated func policy(for request: Request) -> DispatchPolicy

  /// The clock of debounced requests, of back-off and of timeouts. By default, a `ContinuousClock`.
  nonisolated var clock: any Clock<Duration> { get }
}

extension Opticle {
  /// Changes nothing.
  public func mutate(_ state: inout State, response: Response) {}

  /// Changes nothing.
  public func recover(_ state: inout State, request: Request, error: any Error) {}

  /// Lets requests run side by side.
  @inlinable
  public nonisolated func policy(for request: Request) -> DispatchPolicy { .concurrent }

  /// The clock that real time moves.
  public nonisolated var clock: any Clock<Duration> { ContinuousClock() }

  /// Sends a request, to be dispatched as `policy(for:)` says.
  ///
  /// It is synchronous, may be called from any isolation and never waits. Dispatches start in the order
  /// sent. A request that waits for its turn does not keep the opticle alive. `bag.cancel()` cancels what
  /// is in flight; the opticle stays usable.
  ///
  /// - Parameter request: What is asked for.
  /// - Complexity: O(1).
  @inlinable
  public nonisolated func send(_ request: Request) {
    withDesk { $0.send(request, to: self) }
  }

  @inlinable nonisolated var desk: Desk<OpticleWork<Self>> { withDesk { $0 } }

  /// Lends the desk: a message that is sent, and a commit, need not count a reference to it.
  @inlinable
  nonisolated func withDesk<Result>(_ body: (Desk<OpticleWork<Self>>) -> Result) -> Result {
    knot.withCompanion({ Desk() }, body)
  }
}

/// How requests are carried out by an opticle.
@usableFromInline
enum OpticleWork<Holder: Opticle>: Work {
  @inlinable
  static func policy(of holder: Holder, for request: Holder.Request) -> DispatchPolicy {
    holder.policy(for: request)
  }

  @inlinable
  static func clock(of holder: Holder) -> any Clock<Duration> { holder.clock }

  @inlinable
  static func desk(of holder: Holder) -> Desk<Self> { holder.desk }

  @inlinable @inline(__always)
  static func carryOut(_ request: Holder.Request, on holder: isolated Holder) async {
    await holder.dispatch(request)
  }

  @usableFromInline typealias Cause = CommitCause<Holder.Request, Holder.Response>
}

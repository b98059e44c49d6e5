public import AsyncKnot

/// Commits: each one reads, changes, stores and tells the observers in one step on the opticle.
///
/// A commit of a dispatch that is cancelled or superseded is dropped. That holds for its child tasks, and
/// for a `Task {}` of a superseded dispatch, too.
extension Opticle {
  /// Brings a response into the state through `mutate`.
  ///
  /// - Parameter response: What the service gave.
  @inlinable
  public func commit(_ response: Response) {
    guard Dispatch.mayCommit else { return }
    withDesk { $0.write(.response(response), to: knot) { mutate(&$0, response: response) } }
  }

  /// Brings a failure into the state through `recover`; a cancellation changes nothing.
  ///
  /// - Parameters:
  ///   - error: Why the request failed.
  ///   - request: The request that failed.
  public func commit(error: any Error, from request: Request) {
    guard Dispatch.mayCommit, !(error is CancellationError) else { return }
    desk.write(.failure(request, error), to: knot) { recover(&$0, request: request, error: error) }
  }

  /// Runs an operation and commits its response, or its error.
  ///
  /// ```swift
  /// await commit(from: request) { try await service.titles() }
  /// ```
  /// It returns when the operation has; a cancelled operation changes nothing. No error gets out.
  ///
  /// - Parameters:
  ///   - request: The request that the operation answers.
  ///   - operation: Calls the service, on the caller's isolation.
  public func commit(
    from request: Request, _ operation: () async throws -> Response
  ) async {
    do {
      commit(try await operation())
    } catch {
      commit(error: error, from: request)
    }
  }

  /// Puts an earlier state back.
  ///
  /// Observers see it as any other state. What is in flight goes on.
  ///
  /// - Parameter state: The state, for example `before` of a transition.
  public func restore(_ state: State) {
    desk.replace(with: state, .restored, in: knot)
  }

  /// Reduces the state for operators such as `pipe(to:)`; it counts as a commit.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    desk.write(.reduced, to: knot, body)
  }

  /// Reduces every event of a sequence, in a loop that runs on the opticle; each counts as a commit.
  ///
  /// - Parameters:
  ///   - events: What is reduced.
  ///   - reduce: Brings one event into the state.
  /// - Throws: The sequence's own error; the state keeps its last value.
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    let desk = desk
    var iterator = events.makeAsyncIterator()
    while let event = try await iterator.next(isolation: self) {
      desk.write(.reduced, to: knot) { reduce(event, &$0) }
    }
  }
}

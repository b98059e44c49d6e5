public import AsyncKnot

/// Commits: each one reads, changes, stores and tells the observers in one step on the opticle.
///
/// What a dispatch writes after it was superseded or cancelled is dropped. That holds for its child tasks
/// and for a `Task {}` that it has started, too; a detached task is not known to belong to it.
extension Opticle {
  /// Brings a response into the state through `mutate`.
  ///
  /// - Parameter response: What the service gave.
  @inlinable
  public func commit(_ response: Response) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.write(.response(response), to: knot) { mutate(&$0, response: response) }
    }
  }

  /// Brings a failure into the state through `recover`; a cancellation changes nothing.
  ///
  /// - Parameters:
  ///   - error: Why the request failed.
  ///   - request: The request that failed.
  public func commit(error: any Error, from request: Request) {
    let desk = desk
    guard desk.mayCommit, !(error is CancellationError) else { return }
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

  /// Reduces the state for operators such as `pipe(to:)`; it counts as a commit.
  ///
  /// In a dispatch that was superseded or cancelled the reducer gets a copy, which is dropped. A task
  /// that is cancelled outside of any dispatch reduces all the same: cleaning up is allowed.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let desk = desk
    guard desk.mayWrite else {
      var copy = knot.state
      return body(&copy)
    }
    return desk.write(.reduced, to: knot, body)
  }

  /// Reduces every event of a sequence, in a loop that runs on the opticle; each counts as a commit.
  ///
  /// The loop ends at the first event after its dispatch was superseded or cancelled.
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
    var slice = Slice()
    while let event = try await iterator.next(isolation: self) {
      guard desk.mayWrite else { return }
      desk.write(.reduced, to: knot) { reduce(event, &$0) }
      if slice.isOver() { await slice.giveWay() }
    }
  }
}

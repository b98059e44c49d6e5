public import AsyncKnot

extension Opticle {
  /// Applies a response to the state through `mutate`, in one step; does nothing if the task is
  /// cancelled, or belongs to a superseded or cancelled dispatch.
  @inlinable
  public func commit(_ response: Response) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.write(.response(response), to: knot) { mutate(&$0, response: response) }
    }
  }

  /// Applies the failure of a request to the state through `recover`, in one step; does nothing for a
  /// `CancellationError`, and where `commit(_:)` does nothing.
  public func commit(error: any Error, from request: Request) {
    let desk = desk
    guard desk.mayCommit, !(error is CancellationError) else { return }
    desk.write(.failure(request, error), to: knot) { recover(&$0, request: request, error: error) }
  }

  /// Runs an operation and commits its response or its error.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(from: request) { try await service.titles() }
  /// ```
  /// A cancelled operation changes nothing; an error is committed, not thrown.
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

  /// Reduces the state in one step, as operators such as `pipe(to:)` do.
  ///
  /// In a superseded or cancelled dispatch the reducer receives a copy, which is dropped. In a
  /// cancelled task outside of any dispatch it changes the state all the same, to clean up.
  ///
  /// - Parameter body: The reducer.
  /// - Returns: What the reducer returned.
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    let desk = desk
    guard desk.mayWrite else {
      var copy = knot.state
      return body(&copy)
    }
    return desk.write(.reduced, to: knot, body)
  }

  /// Reduces every event of a sequence, until it ends or the dispatch is superseded or cancelled.
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let desk = desk
    var iterator = events.makeAsyncIterator()
    var slice = Slice()
    while let event = try await iterator.next(isolation: self) {
      guard desk.mayWrite else { return }
      _ = desk.write(.reduced, to: knot) { reduce(event, &$0) }
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}

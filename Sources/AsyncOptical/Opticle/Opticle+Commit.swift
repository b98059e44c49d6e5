extension Opticle {
  /// Applies a response to the state through `mutate`, in one step; does nothing if the task is
  /// cancelled, or belongs to a superseded or cancelled dispatch.
  ///
  /// A change that the user makes stays: what a load brings that is in flight goes beneath it.
  @inlinable
  public func commit(_ response: Response) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.commit(.response(response), on: self, edit: edit(response)) {
        mutate(&$0, response: response)
      }
    }
  }

  /// Applies the failure of a request to the state through `recover`, in one step; does nothing for a
  /// `CancellationError`, and where `commit(_:)` does nothing.
  public func commit(error: any Error, from request: Request) {
    let desk = desk
    guard desk.mayCommit, !(error is CancellationError) else { return }
    desk.message?.fail(with: error)
    desk.commit(.failure(request, error), recovery(request, error), on: self, as: .failure)
  }

  /// Runs an operation and commits its response or its error, in the place at which the operation began.
  ///
  /// <!-- sample: extension Titles { private func sort(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(from: request) { try await service.titles().sorted() }
  /// ```
  /// The response says what the request has changed. What the user has changed since comes after it; so
  /// two answers that overtake each other leave what the second request says. Use
  /// `load(from:showing:_:)` for a response that says what the server has.
  ///
  /// A cancelled operation changes nothing; an error is committed, not thrown. What is `showing`, such as
  /// a spinner, is removed when the operation has ended, whichever way, and is never part of the confirmed
  /// state. The operation runs on the caller's isolation. If something is expected of the request, the
  /// response takes its place.
  ///
  /// - Returns: Whether the response was applied: not after an error, and not in a superseded or
  ///   cancelled dispatch.
  @discardableResult
  public func commit(
    from request: Request, showing meanwhile: Response? = nil,
    _ operation: () async throws -> Response
  ) async -> Bool {
    await run(request, expectation(of: request), showing: meanwhile, operation)
  }

  /// Shows a response at once, and runs the operation that carries it out: the response is confirmed
  /// when it returns, and removed when it fails.
  ///
  /// <!-- sample: extension Titles { private func rename(_ request: Int, _ title: String) async { … } } -->
  /// ```swift
  /// await commit(from: request, expecting: [title]) { try await service.rename(title) }
  /// ```
  /// It is removed, too, when the dispatch is superseded or cancelled. It stays above what loads bring,
  /// also one that has read it already, so `mutate` has to change nothing where the response was applied
  /// before. A debug build traps if applying it twice gives another state. With a better answer of the
  /// service it is said by `expectation(of:)`, and answered by `commit(from:showing:_:)`.
  ///
  /// - Returns: Whether the response was confirmed.
  @discardableResult
  public func commit(
    from request: Request, expecting expected: Response, _ operation: () async throws -> Void
  ) async -> Bool {
    await run(request, expected, isNew: true) {
      try await operation()
      return nil
    }
  }

  /// Runs the operation that carries out what `expectation(of:)` says: it is confirmed when the operation
  /// returns, and removed when it fails.
  ///
  /// <!-- sample: extension Titles { private func add(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(expectationOf: request) { try await service.rename("Tea") }
  /// ```
  /// Where nothing is expected of the request, its return changes nothing. Otherwise as
  /// `commit(from:expecting:_:)`.
  @discardableResult
  public func commit(
    expectationOf request: Request, _ operation: () async throws -> Void
  ) async -> Bool {
    await run(request, expectation(of: request)) {
      try await operation()
      return nil
    }
  }

  /// Runs an operation that asks what the server has, and puts its response beneath all that was changed
  /// since it began.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await load(from: request) { try await service.titles() }
  /// ```
  /// No change that is pending, and none that was made since the load began, is taken away: each is
  /// applied once more over the response. Otherwise as `commit(from:showing:_:)`.
  ///
  /// - Returns: Whether the response was applied: not after an error, and not in a superseded or
  ///   cancelled dispatch.
  @discardableResult
  public func load(
    from request: Request, showing meanwhile: Response? = nil,
    _ operation: () async throws -> Response
  ) async -> Bool {
    await run(request, nil, isLoad: true, showing: meanwhile, operation)
  }
}

extension Opticle {
  /// Applies a response to the state with `mutate`, in one step.
  ///
  /// Does nothing if the task is cancelled or belongs to a superseded or cancelled message.
  ///
  /// The change stays visible if the response of a load in flight arrives later, because that response is
  /// applied below this change.
  @inlinable
  public func commit(_ response: Response) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.commit(.response(response), on: self, edit: edit(response)) {
        mutate(&$0, response: response)
      }
    }
  }

  /// Applies the error of a request to the state with `recover`, in one step.
  ///
  /// Does nothing if the error is a `CancellationError`, if the task is cancelled, or if the message is superseded or cancelled.
  /// Otherwise the message counts as failed, and `perform` returns the first error of the message.
  public func commit(error: any Error, from request: Request) {
    let desk = desk
    guard desk.mayCommit, !(error is CancellationError) else { return }
    desk.message?.fail(with: error)
    desk.commit(.failure(request, error), recovery(request, error), on: self, as: .failure)
  }

  /// Runs an operation and commits its response or its error.
  ///
  /// <!-- sample: extension Titles { private func change(_ request: Int, to title: String) async { … } } -->
  /// ```swift
  /// await commit(from: request) {
  ///   try await service.rename(title)
  ///   return [title]
  /// }
  /// ```
  /// Use this method if the response describes a change that the request has made. The response is ordered by the time at which
  /// the operation began, so changes that the user has made since then stay on top of it. If two responses arrive in the wrong
  /// order, the change of the later request still wins. Use `load(from:showing:_:)` if the response describes the data on the
  /// server.
  ///
  /// A cancelled operation changes nothing. An error is committed, not thrown. The change made by `showing`, such as a spinner,
  /// is removed when the operation ends for any reason, and is never part of the confirmed state. The operation runs on the
  /// caller's isolation. If a response was expected, the actual response replaces it.
  ///
  /// - Returns: Whether the response was applied: `false` after an error, and in a superseded or cancelled
  ///   dispatch.
  @discardableResult
  public func commit(
    from request: Request, showing meanwhile: Response? = nil,
    _ operation: () async throws -> Response
  ) async -> Bool {
    await run(request, expectation(for: request), showing: meanwhile, operation)
  }

  /// Shows the expected response of a request immediately, and runs the request's operation.
  ///
  /// The response is confirmed when the operation returns, and removed when it fails.
  ///
  /// <!-- sample: extension Titles { private func rename(_ request: Int, _ title: String) async { … } } -->
  /// ```swift
  /// await commit(from: request, expecting: [title]) { try await service.rename(title) }
  /// ```
  /// The response is also removed when the dispatch is superseded or cancelled. It is applied again over the data of a load, even
  /// if that data already contains the change. So `mutate` must not change anything if the response has already been applied. A
  /// debug build traps if applying the response a second time changes an `Equatable` state again. If the service returns a
  /// response of its own, such as the stored row, return the expected one from `expectation(for:)` and call
  /// `commit(from:showing:_:)`.
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

  /// Runs the operation of a request whose expected response `expectation(for:)` returns.
  ///
  /// That response is confirmed when the operation returns, and removed when it fails.
  ///
  /// <!-- sample: extension Titles { private func add(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(expectationFor: request) { try await service.rename("Tea") }
  /// ```
  /// If `expectation(for:)` returns `nil` for the request, a successful operation changes nothing. In all other respects this
  /// method works like `commit(from:expecting:_:)`.
  @discardableResult
  public func commit(
    expectationFor request: Request, _ operation: () async throws -> Void
  ) async -> Bool {
    await run(request, expectation(for: request)) {
      try await operation()
      return nil
    }
  }

  /// Runs an operation that reads the server's data, and applies its response below all changes made
  /// since the operation began.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await load(from: request) { try await service.titles() }
  /// ```
  /// Pending changes and changes made since the load began are not lost, because they are applied again over the response. So
  /// `load` also suits data that the server sends by itself, such as an event. In all other respects this method works like
  /// `commit(from:showing:_:)`.
  ///
  /// - Returns: Whether the response was applied: `false` after an error, and in a superseded or cancelled
  ///   dispatch.
  @discardableResult
  public func load(
    from request: Request, showing meanwhile: Response? = nil,
    _ operation: () async throws -> Response
  ) async -> Bool {
    await run(request, nil, isLoad: true, showing: meanwhile, operation)
  }
}

extension Opticle where Request == Work<Self> {
  /// Runs the request's body.
  public func dispatch(_ request: Work<Self>) async { await request.body(self) }
}

// `response` is not declared as a `Change<State>`. Otherwise the compiler would infer `Response` from this method for an opticle
// whose own `mutate` has the wrong signature, and would not report the mistake.
extension Opticle where Response == Change<State> {
  /// Applies the change.
  public func mutate(_ state: inout State, response: Response) { response.body(&state) }
}

/// Commits with closures in place of `mutate` and `recover`, for requests that are values.
extension Opticle where Request == Work<Self>, Response == Change<State> {
  /// Calls the `recover` closure of the commit that has failed.
  public func recover(_ state: inout State, request: Work<Self>, error: any Error) {
    assert(
      request.recovery != nil,
      "\(Self.self): \(request) failed with \(error), which no 'recover' handles; write "
        + "'commit { … } mutate: { … } recover: { … }'")
    request.recovery?(&state, error)
  }

  /// Returns the expected change with which the request was declared.
  public func expectation(for request: Work<Self>) -> Change<State>? {
    request.expectation.map { Change(label: request.description, $0) }
  }

  /// Changes the state in one step, as `commit(_:)` does with a response.
  public func commit(
    name: String = #function, file: String = #fileID, line: Int = #line,
    _ change: @escaping @Sendable (inout State) -> Void
  ) {
    commit(Change(name: name, file: file, line: line, change))
  }

  /// Runs an operation, then changes the state with the operation's result or error.
  ///
  /// The change is ordered by the time at which the operation began. The change of `expecting` is shown until the result replaces
  /// it, for example with the row that the server has stored.
  ///
  /// <!-- sample: extension Album { private func add(_ photo: String) async { … } } -->
  /// ```swift
  /// await commit { [service] in
  ///   try await service.add(photo)
  /// } mutate: { state, _ in
  ///   if !state.photos.contains(photo) { state.photos.append(photo) }
  /// } recover: {
  ///   $0.message = "\($1)"
  /// }
  /// ```
  /// In all other respects this method works like ``Opticle/commit(from:showing:_:)``. `mutate` and `recover`
  /// are reducers.
  ///
  /// - Returns: Whether the result was applied.
  @discardableResult
  public func commit<Value: Sendable>(
    expecting change: (@Sendable (inout State) -> Void)? = nil,
    showing meanwhile: (@Sendable (inout State) -> Void)? = nil, name: String = #function,
    file: String = #fileID, line: Int = #line, _ operation: () async throws -> Value,
    mutate: @escaping @Sendable (inout State, Value) -> Void,
    recover: @escaping @Sendable (inout State, any Error) -> Void
  ) async -> Bool {
    let name = label(name, file, line)
    return await run(
      Work(label: name, recovery: recover), change.map { Change(label: name, $0) },
      showing: meanwhile.map { Change(label: name, $0) }
    ) {
      let value = try await operation()
      return Change(label: name) { mutate(&$0, value) }
    }
  }

  /// Changes the state immediately and runs the operation that carries out the change.
  ///
  /// The change is confirmed when the operation returns, and removed when it fails; see
  /// ``Opticle/commit(from:expecting:_:)``.
  @discardableResult
  public func commit(
    expecting change: @escaping @Sendable (inout State) -> Void, name: String = #function,
    file: String = #fileID, line: Int = #line, _ operation: () async throws -> Void,
    recover: @escaping @Sendable (inout State, any Error) -> Void
  ) async -> Bool {
    let name = label(name, file, line)
    return await run(
      Work(label: name, recovery: recover), Change(label: name, change)
    ) {
      try await operation()
      return nil
    }
  }

  /// Runs an operation that reads the server's data, and changes the state with its result.
  ///
  /// The result is applied below all changes made since the operation began; see
  /// ``Opticle/load(from:showing:_:)``.
  ///
  /// <!-- sample: extension Album { private func load() async { … } } -->
  /// ```swift
  /// await load(showing: { $0.isLoading = true }) {
  ///   try await retry(.exponential(attempts: 3)) { [service] in try await service.photos() }
  /// } mutate: {
  ///   ($0.photos, $0.message) = ($1, "")
  /// } recover: {
  ///   $0.message = "\($1)"
  /// }
  /// ```
  @discardableResult
  public func load<Value: Sendable>(
    showing meanwhile: (@Sendable (inout State) -> Void)? = nil, name: String = #function,
    file: String = #fileID, line: Int = #line, _ operation: () async throws -> Value,
    mutate: @escaping @Sendable (inout State, Value) -> Void,
    recover: @escaping @Sendable (inout State, any Error) -> Void
  ) async -> Bool {
    let name = label(name, file, line)
    return await run(
      Work(label: name, recovery: recover), nil, isLoad: true,
      showing: meanwhile.map { Change(label: name, $0) }
    ) {
      let value = try await operation()
      return Change(label: name) { mutate(&$0, value) }
    }
  }
}

/// A binder whose actions are ``Change`` values.
extension ViewBindable where Action == Change<State> {
  /// Applies the change.
  public func reduce(_ action: Change<State>, into state: inout State) { action.body(&state) }

  /// Changes the state in one step, as `accept(_:)` does with an action.
  public func accept(
    name: String = #function, file: String = #fileID, line: Int = #line,
    _ change: @escaping @Sendable (inout State) -> Void
  ) {
    accept(Change(name: name, file: file, line: line, change))
  }
}

extension ViewBindable where Command == Work<Self> {
  /// Runs the command's body.
  public func binding(command: Work<Self>) async { await command.body(self) }
}

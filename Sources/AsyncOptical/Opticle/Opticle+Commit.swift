public import AsyncKnot

extension Opticle {
  /// Applies a response to the state through `mutate`, in one step; does nothing if the task is
  /// cancelled, or belongs to a superseded or cancelled dispatch.
  @inlinable
  public func commit(_ response: Response) {
    withDesk { desk in
      guard desk.mayCommit else { return }
      desk.write(.response(response), to: knot, on: self) { mutate(&$0, response: response) }
    }
  }

  /// Applies a response of the user's own, which no load in flight takes away.
  ///
  /// <!-- sample: extension Titles { private func rename(_ title: String) { … } } -->
  /// ```swift
  /// edit([title])
  /// ```
  /// What a `commit(from:)` brings that began before may be older, so `mutate` applies the edit once
  /// more over it: it has to change nothing where it was applied already. Otherwise as `commit(_:)`.
  ///
  /// - Parameter response: The response; a debug build traps if applying it twice gives another state.
  public func edit(_ response: Response) {
    let desk = desk
    guard desk.mayCommit else { return }
    commit(response)
    keep(response)
  }

  /// Applies the failure of a request to the state through `recover`, in one step; does nothing for a
  /// `CancellationError`, and where `commit(_:)` does nothing.
  public func commit(error: any Error, from request: Request) {
    let desk = desk
    guard desk.mayCommit, !(error is CancellationError) else { return }
    desk.write(.failure(request, error), to: knot, on: self) {
      recover(&$0, request: request, error: error)
    }
  }

  /// Runs an operation and commits its response or its error.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(from: request) { try await service.titles() }
  /// ```
  /// A cancelled operation changes nothing; an error is committed, not thrown. The response takes away
  /// no change that is pending, and no edit that was made since the operation began.
  /// What is `showing`, such as a spinner, goes when the operation has ended, whichever way, and is never
  /// part of the confirmed state. The operation runs on the caller's isolation.
  ///
  /// - Returns: Whether the response was applied: not after an error, and not in a superseded or
  ///   cancelled dispatch.
  @discardableResult
  public func commit(
    from request: Request, showing meanwhile: Response? = nil,
    _ operation: () async throws -> Response
  ) async -> Bool {
    await commit(from: request, expecting: nil, showing: meanwhile, operation)
  }

  /// Shows a response at once, and runs the operation that carries it out: the response is confirmed
  /// when it returns, taken back when it fails.
  ///
  /// <!-- sample: extension Titles { private func rename(_ request: Int, _ title: String) async { … } } -->
  /// ```swift
  /// await commit(from: request, expecting: [title]) { try await service.rename(title) }
  /// ```
  /// It is taken back, too, when the dispatch is superseded or cancelled. An answer that comes while
  /// loads are in flight is applied once more over each of them, so `mutate` has to change nothing
  /// where the response was applied already.
  /// A debug build traps if applying it twice gives another state. With a better answer of the service
  /// it is said by `expectation(of:)`, and answered by `commit(from:showing:_:)`.
  ///
  /// - Returns: Whether the response was confirmed.
  @discardableResult
  public func commit(
    from request: Request, expecting expected: Response, _ operation: () async throws -> Void
  ) async -> Bool {
    await commit(from: request, expecting: expected, showing: nil) {
      try await operation()
      return nil
    }
  }

  /// Runs the operation that carries out what `expectation(of:)` says: it is confirmed when the operation
  /// returns, taken back when it fails.
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
    await commit(from: request, expecting: nil, showing: nil) {
      try await operation()
      return nil
    }
  }

  /// Runs an operation whose answer is `nil` where it is what was expected.
  func commit(
    from request: Request, expecting expected: Response?, showing meanwhile: Response?,
    _ operation: () async throws -> Response?
  ) async -> Bool {
    let desk = desk
    let number = unsafe desk.pending.nextNumber()
    var (isLoad, shownCount) = (true, 0)
    if desk.mayCommit {
      if unsafe desk.pending.adopt(by: number, of: desk.message) {
        (isLoad, shownCount) = (false, 1)
      } else if let expected = expected ?? expectation(of: request) {
        show(expected, of: request, for: number)
        (isLoad, shownCount) = (false, 1)
      }
      if let meanwhile {
        show(meanwhile, of: request, for: number, isExpected: false)
        shownCount += 1
      }
    }
    if isLoad { unsafe desk.pending.beginLoad(number) }
    defer {
      if shownCount > 0 { desk.withdraw(on: self) { $0.commit == number } }
      if isLoad { unsafe desk.pending.endLoad(number) }
    }
    do {
      let answer = try await operation()
      guard desk.mayCommit else { return false }
      guard let answer else {
        shownCount = 0
        return desk.confirm(number, in: knot, on: self)
      }
      let edits = isLoad ? unsafe desk.pending.edits(since: number) : []
      desk.settle(number, showing: shownCount, .response(answer), in: knot, on: self) {
        mutate(&$0, response: answer)
        for edit in edits { edit(self, &$0) }
      }
      shownCount = 0
      if !isLoad { keep(answer) }
      return true
    } catch {
      guard desk.mayCommit, !(error is CancellationError) else { return false }
      desk.settle(number, showing: shownCount, .failure(request, error), in: knot, on: self) {
        recover(&$0, request: request, error: error)
      }
      shownCount = 0
      return false
    }
  }

  /// Shows a response over the confirmed state, for a commit, or while its message waits.
  func show(
    _ response: Response, of request: Request, for commit: Int = 0, isExpected: Bool = true
  ) {
    if isExpected { checkRepeats(response) }
    let desk = desk
    desk.show(
      .init(
        commit: commit, message: unsafe desk.pending.waiting ?? desk.message,
        confirmation: isExpected ? .response(response) : nil, withdrawal: .withdrawn(request)
      ) { $0.mutate(&$1, response: response) },
      as: .expected(response), in: knot, on: self)
  }

  /// Has the loads in flight apply a response once more.
  func keep(_ response: Response) {
    checkRepeats(response)
    unsafe desk.pending.keep { $0.mutate(&$1, response: response) }
  }

  /// Traps in a debug build if a response that may be applied again is not the same both times.
  private func checkRepeats(_ response: Response) {
    assert(
      {
        var once = state
        mutate(&once, response: response)
        var twice = once
        mutate(&twice, response: response)
        return !(once is any Equatable) || areEqual(once, twice)
      }(),
      """
      \(Self.self): \(response) was applied twice, and gave another state. A response that is shown \
      before its answer, or edits during a load, may be applied again over what the load brings: \
      let it change nothing where it was applied already, for example by looking for the id.
      """)
  }
}

internal import AsyncKnot

extension Opticle {
  /// Runs an operation, repeats it while it fails, and commits its response or its last error.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await commit(from: request, retrying: .exponential(attempts: 3), timeout: .seconds(5)) {
  ///   [service] in try await service.titles()
  /// }
  /// ```
  /// Times are those of the opticle's `clock`. A cancelled operation is not repeated and changes
  /// nothing. An attempt that ignores its cancellation is waited for, even after its timeout.
  /// The timeout is that of one attempt, which then fails with a `TimeoutError`; `nil` sets no limit.
  /// What is `showing` goes when the operation has ended.
  ///
  /// - Returns: Whether a response was applied.
  @discardableResult
  public func commit(
    from request: Request, showing meanwhile: Response? = nil, retrying policy: RetryPolicy,
    timeout: Duration? = nil, _ operation: @escaping @Sendable () async throws -> Response
  ) async -> Bool {
    let alarms = desk.alarms(of: self)
    return await commit(from: request, expecting: nil, showing: meanwhile) {
      try await alarms.attempts(policy, timeout: timeout, operation)
    }
  }

  /// Shows a response at once, and confirms it when the operation, repeated while it fails, has
  /// returned.
  ///
  /// <!-- sample: extension Titles { private func rename(_ request: Int, _ title: String) async { … } } -->
  /// ```swift
  /// await commit(from: request, expecting: [title], retrying: .exponential(attempts: 3)) {
  ///   [service] in try await service.rename(title)
  /// }
  /// ```
  /// Otherwise as `commit(from:expecting:_:)`, with the times of `commit(from:showing:retrying:timeout:_:)`.
  @discardableResult
  public func commit(
    from request: Request, expecting expected: Response, retrying policy: RetryPolicy,
    timeout: Duration? = nil, _ operation: @escaping @Sendable () async throws -> Void
  ) async -> Bool {
    let alarms = desk.alarms(of: self)
    return await commit(from: request, expecting: expected) {
      try await alarms.attempts(policy, timeout: timeout, operation)
    }
  }
}

extension Alarms {
  func attempts<Result: Sendable>(
    _ policy: RetryPolicy, timeout: Duration?,
    _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    var failures = 0
    while true {
      do {
        return try await attempt(within: timeout, operation)
      } catch {
        failures += 1
        let isFinal = failures == policy.attempts || !policy.isRetried(error)
        if isFinal || Task.isCancelled || error is CancellationError { throw error }
        await pause(for: policy.delay(failures))
        try Task.checkCancellation()
      }
    }
  }

  /// Waits for a time, or until the task is cancelled; a clock that fails ends it at once.
  private func pause(for delay: Duration) async {
    do { try await timeline.sleep(timeline.now() + delay.waitable) } catch {}
  }

  private func attempt<Result: Sendable>(
    within limit: Duration?, _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let limit else { return try await operation() }
    let (time, alarm) = AsyncStream.makeStream(of: Never.self)
    // A clock that fails sets no limit.
    let number = add(at: timeline.now() + limit.waitable) { isFailed in
      if !isFailed { alarm.finish() }
    }
    defer { remove(number) }
    return try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        for await _ in time {}
        try Task.checkCancellation()
        throw TimeoutError(limit: limit)
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw CancellationError() }
      return result
    }
  }
}

internal import AsyncKnot

extension Dispatcher {
  /// Runs an operation and, if it fails, repeats it according to a policy; throws the last error.
  ///
  /// <!-- sample: extension Titles { private func load(_ request: Int) async { … } } -->
  /// ```swift
  /// await load(from: request) {
  ///   try await retry(.exponential(attempts: 3), timeout: .seconds(5)) { [service] in
  ///     try await service.titles()
  ///   }
  /// }
  /// ```
  /// Times are measured on the holder's `clock`. `timeout` limits each attempt, like `withTimeout(_:_:)`; if it is zero or less,
  /// each attempt fails without starting. A cancelled operation is not repeated. If the task is cancelled during a delay, the
  /// call throws a `CancellationError`.
  public func retry<Result: Sendable>(
    _ policy: RetryPolicy, timeout: Duration? = nil,
    _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let desk = desk
    let alarms = desk.alarms(of: self)
    var failures = 0
    while true {
      do {
        return try await alarms.run(within: timeout, operation) { desk.trace(.timedOut($0)) }
      } catch {
        failures += 1
        let isFinal = failures == policy.attempts || !policy.isRetried(error)
        if isFinal || Task.isCancelled || error is CancellationError { throw error }
        let delay = policy.delay(failures, error)
        desk.trace(.retrying(after: delay, error))
        await alarms.pause(for: delay)
        try Task.checkCancellation()
      }
    }
  }

  /// Runs an operation and throws a `TimeoutError` if it takes longer than a limit on the holder's `clock`.
  ///
  /// <!-- sample: extension Titles { private func loadInTime(_ request: Int) async { … } } -->
  /// ```swift
  /// await load(from: request) {
  ///   try await withTimeout(.seconds(5)) { [service] in try await service.titles() }
  /// }
  /// ```
  /// After the timeout the operation is cancelled. An operation that ignores its cancellation continues in the background, and
  /// its result is dropped. If the caller is cancelled, the operation is also cancelled, and the call waits until the operation
  /// ends or the timeout passes. With a limit of zero or less, the operation does not start, and the call throws immediately.
  public func withTimeout<Result: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let desk = desk
    return try await desk.alarms(of: self).run(within: limit, operation) {
      desk.trace(.timedOut($0))
    }
  }
}

extension Alarms {
  /// Waits until a delay has passed, the task is cancelled or the clock throws.
  fileprivate func pause(for delay: Duration) async {
    do { try await timeline.sleep(timeline.now() + delay.waitable) } catch {}
  }

  fileprivate func run<Result: Sendable>(
    within limit: Duration?, _ operation: @escaping @Sendable () async throws -> Result,
    orElse isLate: @Sendable (Duration) -> Void
  ) async throws -> Result {
    guard let limit else { return try await operation() }
    guard limit > .zero else {
      isLate(limit)
      throw TimeoutError(limit: limit)
    }
    let race = Promise<Result, any Error>()
    let priority = Task.currentPriority
    let attempt = Spawn.task(priority: priority) {
      do { race.fulfill(.success(try await operation())) } catch { race.fulfill(.failure(error)) }
    }
    // If the clock throws, the operation runs without a time limit.
    let number = add(at: timeline.now() + limit.waitable) { isFailed in
      if !isFailed { race.fulfill(.failure(Late())) }
    }
    defer {
      remove(number)
      attempt.cancel()
    }
    do {
      return try await withTaskCancellationHandler {
        try await passingOnPriority(above: priority) { isReady in
          isReady()
          return try await withCheckedThrowingContinuation { race.wait($0) }
        } to: { priority in
          attempt.raisePriority(to: priority)
        }
      } onCancel: {
        attempt.cancel()
      }
    } catch is Late {
      isLate(limit)
      throw TimeoutError(limit: limit)
    }
  }
}

/// The error of a race that the timeout has won.
private struct Late: Error {}

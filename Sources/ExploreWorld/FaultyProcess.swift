internal import ExploreTesting
internal import Synchronization

/// A process that crashes when the seed decides, and restarts from its disk.
///
/// ```swift
/// let disk = FaultyDisk()
/// let server = FaultyProcess(on: disk) { life in try await Server(life.files) }
/// try await server.call { try await $0.save("text", as: "key") }
/// ```
/// A crash cancels the process's tasks and does not wait for them. Waiting callers get ``Down``, and later writes of the
/// cancelled tasks do not reach the disk. Then the process restarts immediately. It may crash at each access to its files and
/// before each response, but not after `calm`. You can use a process from any isolation.
public final class FaultyProcess<Service: Sendable>: Sendable {
  /// Thrown if the process crashes or is stopped before it responds, so it is unknown whether it has carried out the request.
  public struct Down: Error, Equatable {
    /// Creates the error.
    public init() {}
  }

  private struct State {
    /// The number of the current life: 1 at first, and 1 more after each crash or stop.
    var lives = 0
    /// Whether the process was stopped, so it no longer restarts.
    var isStopped = false
    /// The task that creates the service of this life; `nil` between a crash and the restart, and after a stop.
    var service: Task<Service, any Error>?
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The closures that fail the callers waiting for a response, by call number.
    var callers: [Int: @Sendable () -> Void] = [:]
    var lastCall = 0
  }

  private let disk: FaultyDisk
  private let make: @Sendable (FaultyLife) async throws -> Service
  private let state = Mutex(State())

  /// Creates a process and starts it.
  ///
  /// - Parameters:
  ///   - disk: The disk; no other process may use it.
  ///   - make: Creates the service from the contents of the disk; called at the start of each life.
  public init(
    on disk: FaultyDisk, _ make: @escaping @Sendable (FaultyLife) async throws -> Service
  ) {
    self.disk = disk
    self.make = make
    begin()
  }

  /// The number of the current life: 1 at first, and 1 more after each crash or stop.
  public var lives: Int { state.withLock { $0.lives } }

  /// Calls the service.
  ///
  /// - Parameter body: The request; it is cancelled if the process crashes.
  /// - Returns: The result of `body`.
  /// - Throws: ``Down``, or an error from `body` or from creating the service. Cancelling the caller cancels `body`.
  public func call<Response: Sendable>(
    _ body: @escaping @Sendable (Service) async throws -> Response
  ) async throws -> Response {
    // After a crash, the next life takes a moment to start.
    while state.withLock({ $0.service == nil && !$0.isStopped }) { await Task.yield() }
    let call = nextNumber()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (life, service) = state.withLock { state in
          if state.service != nil {
            state.callers[call] = { continuation.resume(throwing: Down()) }
          }
          return (state.lives, state.service)
        }
        guard let service else { return continuation.resume(throwing: Down()) }
        add(call, life) { [self] in
          let result = await Result { try await body(service.value) }
          if state.withLock({ $0.callers[call] != nil }), fault("crash") { crash() }
          guard state.withLock({ $0.callers.removeValue(forKey: call) }) != nil else { return }
          continuation.resume(with: result)
        }
        // If the caller was cancelled before this point, `onCancel` found no task to cancel.
        if Task.isCancelled { state.withLock { $0.tasks[call] }?.cancel() }
      }
    } onCancel: {
      state.withLock { $0.tasks[call] }?.cancel()
    }
  }

  /// Crashes the process, which then restarts.
  public func crash() { end(isStopped: false) }

  /// Stops the process for good, for example at the end of a scenario.
  ///
  /// Its tasks are cancelled, and later calls throw ``Down``.
  public func stop() { end(isStopped: true) }

  private func end(isStopped: Bool) {
    // Empty the state before cancelling the tasks: a cancellation handler may call `crash()`, which must not find the tasks and
    // callers of this life again.
    let (service, tasks, callers) = state.withLock { state in
      defer { (state.service, state.tasks, state.callers) = (nil, [:], [:]) }
      state.lives += 1
      state.isStopped = isStopped || state.isStopped
      disk.crash()
      return (state.service, state.tasks.values, state.callers.values)
    }
    begin()
    service?.cancel()
    for task in tasks { task.cancel() }
    for caller in callers { caller() }
  }

  /// Starts the next life, unless the process was stopped.
  private func begin() {
    let due = state.withLock { state -> (life: Int, files: FaultyDisk.Files)? in
      guard !state.isStopped else { return nil }
      state.lives = max(state.lives, 1)
      return (state.lives, disk.open { [weak self, disk] in self?.crash() ?? disk.crash() })
    }
    guard let (life, files) = due else { return }
    let own = FaultyLife(files: files) { [weak self] body in
      guard let self else { return }
      add(nextNumber(), life, body)
    }
    let service = Task(name: "life \(life)", executorPreference: Exploration.executor) { [make] in
      try await make(own)
    }
    let isOver = state.withLock { state in
      if state.lives == life { state.service = service }
      return state.lives != life
    }
    if isOver { service.cancel() }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.lastCall += 1
      return state.lastCall
    }
  }

  /// Starts a task of one life.
  private func add(_ number: Int, _ life: Int, _ body: @escaping @Sendable () async -> Void) {
    let task = started("life \(life), work \(number)") { [self] in
      await body()
      state.withLock { $0.tasks[number] = nil }
    }
    let isOver = state.withLock { state in
      if state.lives == life { state.tasks[number] = task }
      return state.lives != life
    }
    if isOver { task.cancel() }
  }
}

/// One life of a ``FaultyProcess``, from a start to the next crash.
public struct FaultyLife: Sendable {
  /// The files of the process's disk.
  public let files: FaultyDisk.Files
  fileprivate let add: @Sendable (@escaping @Sendable () async -> Void) -> Void

  init(
    files: FaultyDisk.Files,
    _ add: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
  ) {
    self.files = files
    self.add = add
  }

  /// Marks a point at which the process may crash or other tasks may run, in work that does not use the disk.
  ///
  /// - Throws: ``FaultyDisk/Gone`` if this life has ended.
  public func moment() async throws { try await files.moment() }

  /// Starts a task of the process; a crash cancels the task and does not wait for it.
  ///
  /// - Parameter body: The code that the task runs.
  public func task(_ body: @escaping @Sendable () async -> Void) { add(body) }
}

internal import ExploreTesting
internal import Synchronization

/// A process that crashes where the seed says, and begins again from its disk.
///
/// ```swift
/// let disk = FaultyDisk()
/// let server = FaultyProcess(on: disk) { life in try await Server(life.files) }
/// try await server.call { try await $0.save("text", as: "key") }
/// ```
/// A crash cancels the tasks of the process and forgets them: who waits for one gets ``Down``, and what they still do comes to
/// no disk. Then the process begins anew at once. It may crash at each access to its files, and before each answer; after `calm`
/// it does not. It may be used from any isolation.
public final class FaultyProcess<Service: Sendable>: Sendable {
  /// The process crashed before it has answered.
  ///
  /// Nobody knows whether it has done what it was asked for.
  public struct Down: Error, Equatable {
    /// Creates the error.
    public init() {}
  }

  private struct State {
    /// How often it has begun.
    var lives = 0
    /// Whether no life follows.
    var isStopped = false
    /// Makes the service; `nil` while nothing runs.
    var service: Task<Service, any Error>?
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Those that wait for an answer.
    var callers: [Int: @Sendable () -> Void] = [:]
    var lastCall = 0
  }

  private let disk: FaultyDisk
  private let make: @Sendable (FaultyLife) async throws -> Service
  private let state = Mutex(State())

  /// Creates a process, and begins it.
  ///
  /// - Parameters:
  ///   - disk: The disk that only this process uses.
  ///   - make: Makes what runs, from what is on the disk; called at the beginning of each life.
  public init(
    on disk: FaultyDisk, _ make: @escaping @Sendable (FaultyLife) async throws -> Service
  ) {
    self.disk = disk
    self.make = make
    begin()
  }

  /// How often it has begun.
  public var lives: Int { state.withLock { $0.lives } }

  /// Has the process do something.
  ///
  /// - Parameter body: What it does; it is cancelled if the process crashes.
  /// - Returns: The result of `body`.
  /// - Throws: ``Down``; what `body`, or the making of the service, throws. The cancellation of the caller is handed on.
  public func call<Answer: Sendable>(
    _ body: @escaping @Sendable (Service) async throws -> Answer
  ) async throws -> Answer {
    // It is only for a moment that a crash has ended one life, and the next has not begun.
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
      }
    } onCancel: {
      state.withLock { $0.tasks[call] }?.cancel()
    }
  }

  /// Ends the life of the process, and begins the next one.
  public func crash() { end(isStopped: false) }

  /// Ends the process for good, as at the end of a scenario: its tasks are cancelled, and it answers nobody.
  public func stop() { end(isStopped: true) }

  private func end(isStopped: Bool) {
    // In one step: another task may come where tasks are cancelled and resumed, and crash the next life.
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

  /// Begins the life that is due, unless it has begun.
  private func begin() {
    let due = state.withLock { state -> (life: Int, files: FaultyDisk.Files)? in
      guard !state.isStopped else { return nil }
      state.lives = max(state.lives, 1)
      return (state.lives, disk.open { [weak self] in self?.crash() })
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

/// One life of a ``FaultyProcess``.
public struct FaultyLife: Sendable {
  /// The files of its disk.
  public let files: FaultyDisk.Files
  fileprivate let add: @Sendable (@escaping @Sendable () async -> Void) -> Void

  init(
    files: FaultyDisk.Files,
    _ add: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
  ) {
    self.files = files
    self.add = add
  }

  /// A moment at which the process may crash, for work that comes to no disk; other tasks may come there, too.
  ///
  /// - Throws: ``FaultyDisk/Gone`` if this life is over.
  public func moment() async throws { try await files.moment() }

  /// Runs a task of the process, which a crash cancels and forgets.
  ///
  /// - Parameter body: The task.
  public func task(_ body: @escaping @Sendable () async -> Void) { add(body) }
}

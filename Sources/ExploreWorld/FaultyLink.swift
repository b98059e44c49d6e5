internal import ExploreTesting
internal import Synchronization

/// A connection between two sides, which the seed of an exploration delays, cuts and mends, and on which it loses and repeats
/// what is sent.
///
/// The seam is the protocol that your code has anyway: wrap the real one.
/// ```swift
/// struct Remote: SavingStore {
///   let store: any SavingStore
///   let link = FaultyLink()
///   func save(_ text: String, as key: String) async throws {
///     try await link.call { [store] in try await store.save(text, as: key) }
///   }
/// }
/// ```
/// What two tasks send overtakes each other as the delays say. In `calm` only delays are left, and what was sent before still
/// arrives: where that matters, sleep a minute of the run's time first. Outside of an exploration a link is perfect. It may be
/// used from any isolation.
public final class FaultyLink: Sendable {
  /// No answer came.
  ///
  /// Nobody knows whether the other side has done what it was asked for.
  public struct Lost: Error, Equatable {
    /// Creates the error.
    public init() {}
  }

  private let prefix: String
  private let delays: [Duration]
  private let timeout: Duration
  /// How often it was cut, and whether it is.
  private let state = Mutex((cuts: 0, isCut: false))

  /// Creates a link; traps if there is no delay to choose.
  ///
  /// - Parameters:
  ///   - name: What comes before the names of its faults in a report, as "db" in "db: lost answer".
  ///   - delays: How long each way may take, the usual first.
  ///   - timeout: After how long a call that is lost gives up.
  public init(
    _ name: String = "", delays: [Duration] = [.zero, .milliseconds(1), .milliseconds(50)],
    timeout: Duration = .seconds(1)
  ) {
    precondition(!delays.isEmpty, "FaultyLink(delays:): needs a delay; got none")
    prefix = name.isEmpty ? "" : "\(name): "
    self.delays = delays
    self.timeout = timeout
  }

  /// Calls the other side.
  ///
  /// The request or the answer may be lost, and the request may come twice; then the first answer counts. The other side does
  /// not hear that the caller is cancelled, but the caller does.
  ///
  /// - Parameter body: What the other side does.
  /// - Returns: Its answer.
  /// - Throws: ``Lost``; a `CancellationError` on the way; what `body` throws, if that answer comes.
  public func call<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await travel("request")
    if fault("\(prefix)repeated request") {
      start("\(prefix)repeated request") { [self] in
        try? await pause()
        _ = try? await body()
      }
    }
    let result = await started("\(prefix)request") { await Result(catching: body) }.value
    try await travel("answer")
    return try result.get()
  }

  /// Sends a message that nobody answers: it may be late, lost, come twice, or before one that was sent earlier.
  ///
  /// - Parameter body: What the other side does with it, in a task of its own.
  public func send(_ body: @escaping @Sendable () async -> Void) {
    for _ in 0..<(fault("\(prefix)repeated message") ? 2 : 1) {
      if isCut || fault("\(prefix)lost message") { continue }
      start("\(prefix)message") { [self] in
        try? await pause()
        if !isCut { await body() }
      }
    }
  }

  /// Cuts the link until ``mend()``: what is sent, and what is under way, is lost.
  public func cut() {
    state.withLock { state in
      state.isCut = true
      state.cuts += 1
    }
  }

  /// Mends the link.
  public func mend() { state.withLock { $0.isCut = false } }

  /// Whether nothing comes through.
  public var isCut: Bool { state.withLock { $0.isCut } && !Exploration.isCalm }

  /// Takes one way.
  private func travel(_ what: String) async throws {
    let cuts = state.withLock { $0.cuts }
    try await pause()
    if !isCut, fault("\(prefix)cut link") {
      cut()
      start("\(prefix)mending") { [self] in
        try? await Task.sleep(
          for: choose("\(prefix)mended after", from: [timeout / 2, timeout * 4]))
        mend()
      }
    }
    let wasCut = isCut || state.withLock { $0.cuts } != cuts && !Exploration.isCalm
    guard wasCut || fault("\(prefix)lost \(what)") else { return }
    try await Task.sleep(for: timeout)
    throw Lost()
  }

  private func pause() async throws {
    let delay = choose("\(prefix)delay", from: delays)
    if delay > .zero { try await Task.sleep(for: delay) } else { await Task.yield() }
  }
}

/// Starts a task of the run.
@discardableResult
func started<Result: Sendable>(
  _ name: String, _ body: @escaping @Sendable () async -> Result
) -> Task<Result, Never> {
  Task(name: name, executorPreference: Exploration.executor) { await body() }
}

func start(_ name: String, _ body: @escaping @Sendable () async -> Void) { started(name, body) }

extension Result where Failure == any Error {
  init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

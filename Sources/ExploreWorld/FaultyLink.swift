internal import ExploreTesting
internal import Synchronization

/// A connection between two sides.
///
/// In an exploration, the seed decides when the link is slow, is cut, or works again, and which messages are lost or repeated.
///
/// If your code has a protocol for the other side, wrap its real implementation:
/// ```swift
/// struct Remote: SavingStore {
///   let store: any SavingStore
///   let link = FaultyLink()
///   func save(_ text: String, as key: String) async throws {
///     try await link.call { [store] in try await store.save(text, as: key) }
///   }
/// }
/// ```
/// Depending on the delays, messages of two tasks may overtake each other. In `calm` only the delays remain, and messages sent
/// earlier may still arrive; if that matters, first sleep for a minute of the run's time. Outside an exploration a link has no
/// faults, and each direction takes the first of the delays. You can use a link from any isolation.
public final class FaultyLink: Sendable {
  /// Thrown if no response arrives, so it is unknown whether the other side has carried out the request.
  public struct Lost: Error, Equatable {
    /// Creates the error.
    public init() {}
  }

  private let prefix: String
  private let delays: [Duration]
  private let timeout: Duration
  /// How many times the link was cut, and whether it is cut now.
  private let state = Mutex((cuts: 0, isCut: false))

  /// Creates a link; traps if `delays` is empty.
  ///
  /// - Parameters:
  ///   - name: A prefix for the names of the link's faults in a report, such as "db" in "db: lost response".
  ///   - delays: How long each direction may take, the usual delay first.
  ///   - timeout: How long a lost call waits before it throws.
  public init(
    _ name: String = "", delays: [Duration] = [.zero, .milliseconds(1), .milliseconds(50)],
    timeout: Duration = .seconds(1)
  ) {
    precondition(!delays.isEmpty, "FaultyLink(delays:): needs at least 1 delay; got 0")
    prefix = name.isEmpty ? "" : "\(name): "
    self.delays = delays
    self.timeout = timeout
  }

  /// Calls the other side.
  ///
  /// The request or the response may be lost, and the request may arrive twice; the response to the repeat is ignored. If you
  /// cancel the caller, the other side does not notice.
  ///
  /// - Parameter body: The code that the other side runs.
  /// - Returns: The response of the other side.
  /// - Throws: ``Lost``; `CancellationError` if you cancel the call during a delay above zero; or an error from `body`, if that
  ///   error reaches the caller.
  public func call<Response: Sendable>(
    _ body: @escaping @Sendable () async throws -> Response
  ) async throws -> Response {
    try await travel("request")
    if fault("\(prefix)repeated request") {
      let cuts = cuts
      start("\(prefix)repeated request") { [self] in
        try? await pause()
        if isWhole(since: cuts) { _ = try? await body() }
      }
    }
    let result = await started("\(prefix)request") { await Result(catching: body) }.value
    try await travel("response")
    return try result.get()
  }

  /// Sends a message without a response.
  ///
  /// The message may be late, lost or repeated, or overtake an earlier message.
  ///
  /// - Parameter body: The code that the other side runs for the message, in its own task.
  public func send(_ body: @escaping @Sendable () async -> Void) {
    for _ in 0..<(fault("\(prefix)repeated message") ? 2 : 1) {
      if isCut || fault("\(prefix)lost message") { continue }
      let cuts = cuts
      start("\(prefix)message") { [self] in
        try? await pause()
        if isWhole(since: cuts) { await body() }
      }
    }
  }

  /// Cuts the link until ``mend()``; outside `calm`, all messages that are in transit or are sent meanwhile are lost.
  public func cut() { _ = beginCut() }

  /// Cuts the link, and returns the number of the cut.
  private func beginCut() -> Int {
    state.withLock { state in
      state.isCut = true
      if !Exploration.isCalm { state.cuts += 1 }
      return state.cuts
    }
  }

  /// Ends the cut; the messages that the cut has lost stay lost.
  public func mend() { state.withLock { $0.isCut = false } }

  /// Whether the link is cut; `false` in `calm`.
  public var isCut: Bool { state.withLock { $0.isCut } && !Exploration.isCalm }

  /// How many times the link was cut; `nil` while it is cut, because a message that is sent then never arrives.
  private var cuts: Int? { isCut ? nil : state.withLock { $0.cuts } }

  /// Whether a message that was sent when the link had been cut `cuts` times can arrive now.
  private func isWhole(since cuts: Int?) -> Bool {
    !isCut && self.cuts == cuts
  }

  /// Carries a request or a response across the link.
  private func travel(_ what: String) async throws {
    let cuts = cuts
    try await pause()
    if !isCut, fault("\(prefix)cut link") {
      let own = beginCut()
      start("\(prefix)mending") { [self] in
        try? await Task.sleep(
          for: choose("\(prefix)mended after", from: [timeout / 2, timeout * 4]))
        // If the link was cut again in the meantime, the later cut stays.
        state.withLock { if $0.cuts == own { $0.isCut = false } }
      }
    }
    guard !isWhole(since: cuts) || fault("\(prefix)lost \(what)") else { return }
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

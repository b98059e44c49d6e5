private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// The watched tests, and the whole process if the environment asks for it.
///
/// A separate thread, which the C part starts, checks them twenty times a second, so the checks continue even if no task runs
/// and all threads of the pool are blocked.
enum HangWatch {
  /// A running test case, or the process.
  struct Scope: Sendable {
    /// The test; `nil` for the process.
    let test: Test?
    let start = realNow
    let limit: Duration
    /// The report that was printed when the limit had passed; `nil` until then.
    var report: String?

    var isLate: Bool { realNow - start > limit }

    var sentence: String {
      test.map { "Test \"\($0.name)\" has not ended after \(limit)" }
        ?? "The process has not ended after \(limit), so the kit ends it"
    }
  }

  struct State {
    /// The scope of each test, by the address of the task in which the test started; the key 0 is the process.
    var scopes: [UInt: Scope] = process.map { [0: $0] } ?? [:]
    /// When a test last started, was reported or ended.
    var lastChange = realNow

    /// Stores the report of a scope, unless its test has ended; by then another test may run in a task with the same address.
    mutating func note(_ report: String, of scope: Scope, at task: UInt) {
      guard scopes[task]?.start == scope.start else { return }
      scopes[task]?.report = report
      lastChange = realNow
    }
  }

  static let state = Mutex(State())

  /// Whether hangs can be explained; the first use prints the seams that are missing.
  private static let isActive: Bool = {
    let missing = Control.unreadable
    if let lost = Control.message(on: missing) { writeError("explainsHangs: \(lost)\n") }
    return knot_is_supported() && !missing.contains(.tasks)
  }()

  private static var task: UInt { unsafe UInt(bitPattern: knot_current_task()) }

  /// Starts watching the test of the calling task.
  ///
  /// A later call for the same test replaces its limit, and starts measuring its time again.
  static func begin(_ test: Test, _ limit: Duration) {
    guard isActive else { return }
    knot_watch_hangs { HangWatch.tick() }
    state.withLock { state in
      state.scopes[task] = Scope(test: test, limit: limit)
      state.lastChange = realNow
    }
  }

  /// Stops watching the test of the calling task, and fails the test if it took too long.
  static func end() {
    let ended = state.withLock { state in
      state.lastChange = realNow
      return state.scopes.removeValue(forKey: task)
    }
    guard let ended, let test = ended.test, ended.report != nil || ended.isLate else { return }
    // A report that `tick()` is still creating is printed later.
    Issue.record(
      "The test took longer than \(ended.limit). \(ended.report ?? "")",
      sourceLocation: test.sourceLocation)
  }

  /// Reports tests that have exceeded their limit.
  ///
  /// Ends the process if the process has exceeded its own limit, or if every running test was reported and nothing has changed
  /// for a second (see ``State/lastChange``).
  static func tick() {
    for (task, scope) in state.withLock({ $0.scopes }) where scope.report == nil && scope.isLate {
      let report = "explainsHangs: \(scope.sentence); \(HangReport(of: task))"
      writeError("\n\(report)\n")
      if scope.test == nil { _exit(1) }
      state.withLock { $0.note(report, of: scope, at: task) }
    }
    let (scopes, lastChange) = state.withLock { ($0.scopes.values, $0.lastChange) }
    let left = scopes.filter { $0.test != nil }
    guard !left.isEmpty, left.allSatisfy({ $0.report != nil }),
      realNow - lastChange > .seconds(1)
    else { return }
    writeError(
      "explainsHangs: every running test with this trait hangs (\(left.count)), so the process ends.\n"
    )
    _exit(1)
  }

  // MARK: EXPLAIN_HANGS

  /// The time limit of the process, if the environment sets one.
  private static let process: Scope? = {
    guard let text = environmentVariable("EXPLAIN_HANGS") else { return nil }
    guard let limit = Double(text), limit > 0, limit < 1e9 else {
      fatalError(
        "EXPLAIN_HANGS: needs a number of seconds above 0, such as 300; got \"\(text)\"")
    }
    return isActive ? Scope(test: nil, limit: .seconds(limit)) : nil
  }()
}

/// If `EXPLAIN_HANGS` is set, the C part calls this function twenty times a second from the start of the process.
@_cdecl("knot_look_for_hangs")
func lookForHangs() { HangWatch.tick() }

/// The machine's time, because `ContinuousClock` shows the virtual time within a run.
private var realNow: Duration { .nanoseconds(knot_real_nanoseconds()) }

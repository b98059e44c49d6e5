private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// The tests that are watched, and the process, where the environment asks for that.
///
/// A thread of C looks at them twenty times a second; it waits for no task and no thread of the pool.
enum HangWatch {
  /// A test case that runs, or the process.
  struct Scope: Sendable {
    /// `nil` for the process.
    let test: String?
    let start = ContinuousClock.now
    let limit: Duration
    /// What was printed when it had not ended in time.
    var report: String?

    var isLate: Bool { start.duration(to: .now) > limit }

    var sentence: String {
      test.map { "Test \"\($0)\" has not ended after \(limit)" }
        ?? "The process has not ended after \(limit), and ends now"
    }
  }

  struct State {
    /// The tests, by the address of the task in which they began; the process, which has none, by 0.
    var scopes: [UInt: Scope] = process.map { [0: $0] } ?? [:]
    /// When a test began, was explained or ended last.
    var lastChange = ContinuousClock.now
  }

  static let state = Mutex(State())

  /// Whether something can be explained; if not, it is said once.
  private static let isActive: Bool = {
    let missing = Control.unreadable
    if let lost = Control.message(on: missing) { writeError("explainsHangs: \(lost)\n") }
    return knot_is_supported() && !missing.contains(.tasks)
  }()

  private static var task: UInt { unsafe UInt(bitPattern: knot_current_task()) }

  /// Watches the test of the calling task from now on; a test that asks for another limit than its suite has that.
  static func begin(_ test: Test, _ limit: Duration) {
    guard isActive else { return }
    knot_watch_hangs { HangWatch.tick() }
    state.withLock { state in
      state.scopes[task] = Scope(test: test.name, limit: limit)
      state.lastChange = .now
    }
  }

  /// Ends the watch; a test that was late fails.
  static func end() {
    let ended = state.withLock { state in
      state.lastChange = .now
      return state.scopes.removeValue(forKey: task)
    }
    guard let ended, ended.report != nil || ended.isLate else { return }
    // The report may still be on its way; it is printed then.
    Issue.record("It took longer than \(ended.limit), and ended too late. \(ended.report ?? "")")
  }

  /// Explains the tests that are late, and ends the process where nothing else is left.
  static func tick() {
    for (task, scope) in state.withLock({ $0.scopes }) where scope.report == nil && scope.isLate {
      let report = "explainsHangs: \(scope.sentence); \(HangReport(of: task))"
      writeError("\n\(report)\n")
      if scope.test == nil { _exit(1) }
      state.withLock { state in
        state.scopes[task]?.report = report
        state.lastChange = .now
      }
    }
    let (scopes, lastChange) = state.withLock { ($0.scopes.values, $0.lastChange) }
    let left = scopes.filter { $0.test != nil }
    guard !left.isEmpty, left.allSatisfy({ $0.report != nil }),
      lastChange.duration(to: .now) > .seconds(1)
    else { return }
    writeError("explainsHangs: Only tests that hang are left (\(left.count)): the process ends.\n")
    _exit(1)
  }

  // MARK: Without a changed line

  /// How long the process may take, if the environment says so.
  private static let process: Scope? = {
    guard let text = environmentVariable("EXPLAIN_HANGS") else { return nil }
    guard let limit = Double(text), limit > 0, limit < 1e9 else {
      fatalError("EXPLAIN_HANGS: needs seconds above zero, as in 300; got \"\(text)\"")
    }
    return isActive ? Scope(test: nil, limit: .seconds(limit)) : nil
  }()
}

/// Called by the C part from the start of the process on, where the environment asks for it.
@_cdecl("knot_look_for_hangs")
func lookForHangs() { HangWatch.tick() }

private import AsyncKnotTestingRuntime
internal import Synchronization
internal import Testing

/// The tests that are watched.
///
/// A thread of C looks at them twenty times a second; it waits for no task and no thread of the pool.
enum HangWatch {
  /// A test case that runs.
  struct Scope: Sendable {
    let test: String
    /// The address of the task in which it began.
    let task: UInt
    let start: Duration
    let limit: Duration
    let ending: HangEnding
    /// What was printed when it had not ended in time.
    var report: String?
  }

  struct State {
    var scopes: [UInt64: Scope] = [:]
    var last: UInt64 = 0
    /// When a test began or ended last.
    var lastChange = Duration.zero
  }

  static let state = Mutex(State())

  /// Why nothing can be explained, or `nil`.
  ///
  /// It is printed once.
  private static let refusal: String? = {
    var reason: String?
    if !knot_is_supported() { reason = "needs Linux" }
    if let unknown = RuntimeRun.unknownLayout {
      reason = unknown
    } else if reason == nil, !knot_watch_hangs({ HangWatch.tick() }) {
      reason = "no thread could be made"
    } else if reason == nil {
      Task {}
      var note = unsafe KnotNote()
      if unsafe knot_notes(&note, 1) == 0 {
        reason = "it makes tasks without the kit; is it linked statically?"
      }
      unsafe free(note.name)
    }
    if let reason { writeError("explainsHangs: explains nothing with this runtime: \(reason)\n") }
    return reason
  }()

  /// Watches the test of the calling task from now on.
  ///
  /// - Returns: The number of its scope, 0 if it is not watched, and of the scope that the task was in before.
  static func begin(
    _ test: Test, _ limit: Duration, _ ending: HangEnding
  ) -> (scope: UInt64, before: UInt64) {
    guard refusal == nil else { return (0, 0) }
    let task = unsafe UInt(bitPattern: knot_current_task())
    let scope = Scope(test: test.name, task: task, start: uptime, limit: limit, ending: ending)
    let number = state.withLock { state in
      state.last += 1
      state.scopes[state.last] = scope
      state.lastChange = scope.start
      return state.last
    }
    let before = knot_set_scope(number)
    // The innermost scope counts: a test that asks for another limit has that.
    state.withLock { _ = $0.scopes.removeValue(forKey: before) }
    return (number, before)
  }

  /// Ends the watch; a test that was late fails.
  static func end(_ scope: UInt64, _ before: UInt64) {
    guard scope != 0 else { return }
    _ = knot_set_scope(before)
    let ended = state.withLock { state in
      state.lastChange = uptime
      return state.scopes.removeValue(forKey: scope)
    }
    guard let ended, ended.report != nil || uptime - ended.start > ended.limit else { return }
    // The report may still be on its way; it is printed then.
    let report = ended.report.map { " \($0)" } ?? ""
    Issue.record("It ended after \(seconds(uptime - ended.start)), too late.\(report)")
  }

  /// Explains the tests that are late, and ends the process where nothing else is left.
  private static func tick() {
    let scopes = state.withLock { $0.scopes }
    for (number, scope) in scopes where scope.report == nil && uptime - scope.start >= scope.limit {
      let report = HangReport(of: scope, HangSnapshot(of: number, scope.task)).text
      writeError("\n\(report)\n")
      state.withLock { $0.scopes[number]?.report = report }
    }
    let (left, lastChange) = state.withLock { ($0.scopes.values, $0.lastChange) }
    guard left.contains(where: { $0.report != nil && $0.ending == .endProcess }),
      left.allSatisfy({ $0.report != nil }), uptime - lastChange > .seconds(1)
    else { return }
    writeError("explainsHangs: Only tests that hang are left (\(left.count)): the process ends.\n")
    _exit(1)
  }

  /// The time since the machine was started.
  static var uptime: Duration { .nanoseconds(knot_uptime()) }
}

// MARK: Without a changed line

/// How long a test may take, from the environment; `nil` if it does not say, or not a number above zero.
private let limitOfEnvironment: (limit: Duration, ending: HangEnding)? = {
  guard let text = environmentVariable("EXPLAIN_HANGS") else { return nil }
  let parts = text.split(separator: ",")
  guard let limit = parts.first.flatMap({ Double($0) }), limit > 0, limit < 1e9,
    parts.count == 1 || parts[1...] == ["goOn"]
  else {
    writeError("EXPLAIN_HANGS: needs seconds above zero, as in 30 or 30,goOn; got \"\(text)\"\n")
    return nil
  }
  return (.seconds(limit), parts.count > 1 ? .goOn : .endProcess)
}()

/// Called by the C part when the testing library has set which test the calling task runs.
@_cdecl("knot_test_begins")
func testBegins() -> UInt64 {
  guard let (limit, ending) = limitOfEnvironment, Test.Case.current != nil, let test = Test.current
  else { return 0 }
  return HangWatch.begin(test, limit, ending).scope
}

/// Called by the C part before the testing library forgets which test the calling task runs.
@_cdecl("knot_test_ends")
func testEnds(_ scope: UInt64) { HangWatch.end(scope, 0) }

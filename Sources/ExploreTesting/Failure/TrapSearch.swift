private import ExploreTestingRuntime
internal import Testing

/// Looks for a run that ends its process, in processes of their own: this program once more, with one test.
///
/// In such a process only one exploration runs. A signal that ends it leaves a file with the schedule so far, and its lanes.
struct TrapSearch {
  /// In a process of its own: where it leaves its file, and the place of the exploration that runs there.
  struct Mission {
    let path: String
    let place: String

    /// `nil` in a process that nobody has sent.
    static let current: Mission? = environmentVariable("EXPLORE_TRAP_FILE").flatMap { path in
      environmentVariable("EXPLORE_TRAP_PLACE").map { Mission(path: path, place: $0) }
    }

    /// Leaves the file; the process is about to end.
    @Sendable func report(_ seed: UInt64, _ schedule: Schedule, _ lanes: String) {
      let file = ReplayFile(test: Test.currentName, seed: seed, switches: schedule.taken)
      _ = writeFile(file.text + "\n" + lanes, at: path)
    }
  }

  /// A process that a signal has ended.
  private struct Death {
    let file: ReplayFile
    let lanes: String
    /// The signal, and the message of the trap.
    let cause: String
  }

  let test: Test
  let sourceLocation: SourceLocation
  private var path: String { "\(temporaryFolder)/explore-trap-\(getpid())-\(sourceLocation.line)" }

  /// Whether a test asks for it, or the environment, and it can be done: one process runs all arguments of a test.
  static func isDue(_ exploration: Exploration, _ replay: ReplayEnvironment) -> Bool {
    guard knot_is_supported(), let test = Test.current, !test.isParameterized else { return false }
    return (exploration.survivesTraps || environmentVariable("EXPLORE_TRAPS") == "1")
      && Mission.current == nil && replay.seed == nil && replay.schedule == nil
  }

  /// The report on a run that ends its process, on its shortest schedule; `nil` where no run does.
  func report() -> (text: String, file: ReplayFile)? {
    defer { for kind in ["", ".schedule", ".log"] { _ = unsafe unlink(path + kind) } }
    guard var last = death() else { return nil }
    let start = ContinuousClock.now
    func repeated(_ switches: [ForcedSwitch]) -> Death? {
      var file = last.file
      file.switches = switches
      return writeFile(file.text, at: path + ".schedule")
        ? death(replaying: path + ".schedule") : nil
    }
    // The lanes are those of a run that is written down.
    guard let first = repeated(last.file.switches) else {
      return (
        """
        seed \(last.file.seed) ended its process: \(last.cause). It went otherwise when it was repeated: something in it does \
        not follow the seed.
        """, last.file
      )
    }
    last = first
    var isReduced = false
    if let plain = repeated([]) {
      (last, isReduced) = (plain, true)
    } else {
      var reduction = Reduction(last.file.switches)
      while start.duration(to: .now) < .seconds(20) {
        guard let candidate = reduction.next() else {
          isReduced = true
          break
        }
        let death = repeated(candidate)
        if reduction.take(death?.file.switches), let death { last = death }
      }
    }
    let count = counted(last.file.switches.count, "forced choice")
    return (
      """
      seed \(last.file.seed) ended its process: \(last.cause); EXPLORE_SEED=\(last.file.seed) replays it, and ends this one

      It does with \(count) (>)\(isReduced ? ", and with none of them left out" : ""):

      \(last.lanes)
      """, last.file
    )
  }

  /// Runs the test in a process of its own; `nil` where no signal has ended it in a run.
  private func death(replaying schedule: String? = nil) -> Death? {
    _ = unsafe unlink(path)
    let words = test.replayName.map { $0.isLetter || $0.isNumber ? "\($0)" : "." }.joined()
    var arguments = ["--testing-library", "swift-testing", "--filter", words]
    let own = CommandLine.arguments
    if let index = own.firstIndex(of: "--test-bundle-path"), index + 1 < own.count {
      arguments = [own[index], own[index + 1]] + arguments
    }
    let variables = [
      "EXPLORE_TRAP_FILE": path, "EXPLORE_TRAP_PLACE": "\(sourceLocation)",
      "EXPLORE_REPLAY": schedule ?? "", "SWIFT_BACKTRACE": "enable=no",
    ]
    let environment = variables.sorted { $0.key < $1.key }.map { "\($0)=\(quoted($1))" }
    let command = (environment + [quoted("/proc/\(getpid())/exe")] + arguments.map(quoted))
      .joined(separator: " ")
    let log = path + ".log"
    let output = outputOfCommand(
      "{ env \(command) >/dev/null 2>\(quoted(log)); echo $?; } 2>/dev/null")
    guard let status = Int(output.prefix { $0.isNumber }), status > 128,
      let text = readFile(at: path), let end = text.firstRange(of: "\n\n"),
      let file = ReplayFile(text: String(text[..<end.lowerBound]))
    else { return nil }
    let traps = ["Fatal error", "Precondition failed", "Assertion failed"]
    let message = readFile(at: log)?.split(separator: "\n").first { line in
      traps.contains { line.contains($0) }
    }
    return Death(
      file: file, lanes: String(text[end.upperBound...]),
      cause: "signal \(status - 128)" + (message.map { ", \($0)" } ?? ""))
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

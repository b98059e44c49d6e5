private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// Searches for a run that ends its process.
///
/// To do so, it starts this program again, with only one test, in separate processes.
///
/// Each of these processes runs only one exploration. Before a run ends its process, the process writes a file with the run's
/// schedule and lanes.
struct TrapSearch {
  /// The instructions for a separate process: the file to write, and the source location of the exploration to run.
  struct Mission {
    let path: String
    let place: String

    /// The instructions for this process; `nil` if the process was started normally.
    static let current: Mission? = environmentVariable("EXPLORE_TRAP_FILE").flatMap { path in
      environmentVariable("EXPLORE_TRAP_PLACE").map { Mission(path: path, place: $0) }
    }

    /// Writes the file just before the process ends.
    @Sendable func report(_ seed: UInt64, _ schedule: Schedule, _ lanes: String) {
      let file = ReplayFile(test: Test.currentName, seed: seed, switches: schedule.taken)
      _ = writeFile(file.text + "\n" + lanes, at: path)
    }
  }

  /// How a run ended a separate process.
  private struct Death {
    let file: ReplayFile
    let lanes: String
    /// The signal or the call to `exit`, with the message of the trap if there is one.
    let cause: String
  }

  let test: Test
  let sourceLocation: SourceLocation
  private let path =
    "\(temporaryFolder)/explore-trap-\(getpid())-\(searches.wrappingAdd(1, ordering: .relaxed).newValue)"
  /// The number of searches in this process, which may run at the same time.
  private static let searches = Atomic(0)

  /// Whether a search is requested and possible.
  ///
  /// A search is not possible for a test with arguments, because a separate process would run the test with all of them.
  static func isDue(_ exploration: Exploration, _ replay: ReplayEnvironment) -> Bool {
    guard knot_is_supported(), let test = Test.current, !test.isParameterized else { return false }
    return (exploration.survivesTraps || replay.traps)
      && Mission.current == nil && replay.seed == nil && replay.schedule == nil
  }

  /// Returns a report on the shortest schedule that was found to end its process; `nil` if none does.
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
    // Only a run with a recorder has lanes. A run that replays a file has a recorder, so the run is repeated from a file.
    guard let first = repeated(last.file.switches) else {
      return (
        """
        seed \(last.file.seed) ended its process: \(last.cause). The repeated run took a different path: something in it does \
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
    let chances = last.file.switches.count { $0.after.isChance }
    let switches = counted(last.file.switches.count - chances, "forced switch", "forced switches")
    let others = counted(chances, "fault or other choice", "faults or other choices")
    let size = "\(switches) (>)" + (chances > 0 ? " and \(others)" : "")
    let rest = isReduced ? "none of them can be removed" : "not all shorter schedules were tried"
    let headline =
      last.file.switches.isEmpty
      ? "The run needs no forced switch: each task continues as long as it can."
      : "The shortest schedule found has \(size); \(rest):"
    return (
      """
      seed \(last.file.seed) ended its process: \(last.cause); EXPLORE_SEED=\(last.file.seed) replays the run, which \
      then ends the process

      \(headline)

      \(last.lanes)
      """, last.file
    )
  }

  /// A regular expression for the identifier of the test with this name, in which a symbol that is not ASCII matches any
  /// character.
  static func filter(for name: String) -> String {
    let letters = name.map { letter in
      letter.isLetter || letter.isNumber ? "\(letter)" : letter.isASCII ? "\\\(letter)" : "."
    }
    return "^\(letters.joined())(/|$)"
  }

  /// Runs the test in a separate process; `nil` unless a run ended it.
  private func death(replaying schedule: String? = nil) -> Death? {
    _ = unsafe unlink(path)
    var arguments = [
      "--testing-library", "swift-testing", "--filter", Self.filter(for: test.replayName),
    ]
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
    guard let status = Int(output.prefix { $0.isNumber }), status != 0,
      let text = readFile(at: path), let end = text.firstRange(of: "\n\n"),
      let file = ReplayFile(text: String(text[..<end.lowerBound]))
    else { return nil }
    let traps = ["Fatal error", "Precondition failed", "Assertion failed"]
    let said = readFile(at: log) ?? ""
    let message = said.split(separator: "\n").first { line in traps.contains { line.contains($0) } }
    let cause = said.firstRange(of: "ended the process by ")
      .map { said[$0.upperBound...].prefix { $0 != "," } }
    return Death(
      file: file, lanes: String(text[end.upperBound...]),
      cause: (cause.map(String.init) ?? "status \(status)") + (message.map { ", \($0)" } ?? ""))
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

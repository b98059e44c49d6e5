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
    /// How long the process may run schedules that are shorter than the replayed one; `nil` if it runs only that one.
    let shrinks: Duration?

    /// The instructions for this process; `nil` if the process was started normally.
    static let current: Mission? = environmentVariable("EXPLORE_TRAP_FILE").flatMap { path in
      environmentVariable("EXPLORE_TRAP_PLACE").map { place in
        let seconds = environmentVariable("EXPLORE_TRAP_SHRINKS").flatMap { Int($0) }
        return Mission(path: path, place: place, shrinks: seconds.map { .seconds($0) })
      }
    }

    /// Writes the file just before the process ends.
    @Sendable func report(_ seed: UInt64, _ schedule: Schedule, _ lanes: String) {
      let file = ReplayFile(test: Test.currentName, seed: seed, switches: schedule.taken)
      _ = writeFile(file.text + "\n" + lanes, at: path)
    }

    /// Writes whether all shorter schedules have passed, in this exploration and in the earlier ones of the same call.
    func report(isFewest: Bool) {
      let saysFewest = isFewest && [nil, Self.fewest].contains(readFile(at: path))
      _ = writeFile(saysFewest ? Self.fewest : "not all were run", at: path)
    }

    fileprivate static let fewest = "fewest"
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
  /// The number of searches that this process has started; it is part of the path, because searches may run at the same time.
  private static let searches = Atomic(0)

  /// Whether a search is requested and possible.
  ///
  /// A search is not possible for a test with arguments, because a separate process would run the test with all of them.
  static func isDue(_ exploration: Exploration, _ replay: ReplayEnvironment) -> Bool {
    guard knot_is_supported(), let test = Test.current, !test.isParameterized else { return false }
    return (exploration.survivesTraps || replay.traps)
      && Mission.current == nil && replay.seed == nil && replay.schedule == nil
  }

  /// Returns a report on the shortest schedule found that ends its process, or `nil` if the search finds none.
  func report() -> (text: String, file: ReplayFile)? {
    defer { for kind in ["", ".schedule", ".log"] { _ = unsafe unlink(path + kind) } }
    guard let found = death() else { return nil }
    // Only a run with a recorder has lanes. A run that replays a file has a recorder, so the run is repeated from a file.
    guard var last = death(replaying: found.file) else {
      return (
        """
        seed \(found.file.seed) ended its process: \(found.cause). The repeated run took a different path: something in it does \
        not follow the seed.
        """, found.file
      )
    }
    let (shortest, isFewest) = shortest(below: last.file)
    if shortest != last.file, let death = death(replaying: shortest) { last = death }
    let chances = last.file.switches.size.chances
    let forced = last.file.switches.forcedWords
    let others = counted(chances, "fault or other choice", "faults or other choices")
    let size = chances > 0 ? "\(others) and \(forced)" : forced
    let headline =
      last.file.switches.isEmpty
      ? "The run needs no forced switch: each task continues as long as it can."
      : isFewest && last.file == shortest
        ? "The shortest schedule that ends the process has \(size):"
        : "This schedule has \(size); a shorter one may also end the process:"
    let other =
      last.cause == found.cause ? "" : " It ends the process with another cause: \(last.cause)."
    return (
      """
      seed \(found.file.seed) ended its process: \(found.cause); EXPLORE_SEED=\(found.file.seed) replays the run, which \
      then ends the process

      \(headline)\(other)

      \(last.lanes)
      """, last.file
    )
  }

  /// Returns the shortest schedule that was found in about twenty seconds, and whether all shorter ones have passed.
  ///
  /// A process ends at the first shorter schedule that ends it, so the next process looks for an even shorter one. The search
  /// ends if a schedule blocks its thread, because then the process ends without a file.
  private func shortest(below first: ReplayFile) -> (file: ReplayFile, isFewest: Bool) {
    let start = ContinuousClock.now
    var best = first
    while true {
      let seconds = 20 - start.duration(to: .now).components.seconds
      guard seconds > 0 else { return (best, false) }
      guard let death = death(replaying: best, shrinkingFor: seconds) else {
        return (best, readFile(at: path) == Mission.fewest)
      }
      guard Self.cost(of: death.file) < Self.cost(of: best) else { return (best, false) }
      best = death.file
    }
  }

  /// The numbers that a report minimizes: chances, other switches, and the interruptions among these switches.
  private static func cost(of file: ReplayFile) -> (Int, Int, Int) {
    let (chances, switches) = file.switches.size
    return (chances, switches, file.switches.count { $0.after.isInterruption })
  }

  /// Returns a regular expression that matches the identifier of the test with this name.
  ///
  /// Each symbol outside ASCII becomes `.`, which matches any character.
  static func filter(for name: String) -> String {
    let letters = name.map { letter in
      letter.isLetter || letter.isNumber ? "\(letter)" : letter.isASCII ? "\\\(letter)" : "."
    }
    return "^\(letters.joined())(/|$)"
  }

  /// Runs the test in a separate process; returns `nil` unless a run ended that process.
  ///
  /// - Parameters:
  ///   - schedule: The schedule to replay; `nil` to run all seeds.
  ///   - seconds: How long to run schedules that are shorter than the given one; `nil` to run only that one.
  /// - Returns: The schedule of the run that ended the process, with its lanes and the cause.
  private func death(
    replaying schedule: ReplayFile? = nil, shrinkingFor seconds: Int64? = nil
  ) -> Death? {
    _ = unsafe unlink(path)
    if let schedule, !writeFile(schedule.text, at: path + ".schedule") { return nil }
    var arguments = [
      "--testing-library", "swift-testing", "--filter", Self.filter(for: test.replayName),
    ]
    let own = CommandLine.arguments
    if let index = own.firstIndex(of: "--test-bundle-path"), index + 1 < own.count {
      arguments = [own[index], own[index + 1]] + arguments
    }
    let variables = [
      "EXPLORE_TRAP_FILE": path, "EXPLORE_TRAP_PLACE": "\(sourceLocation)",
      "EXPLORE_TRAP_SHRINKS": seconds.map { "\($0)" } ?? "",
      "EXPLORE_REPLAY": schedule == nil ? "" : path + ".schedule",
      "SWIFT_BACKTRACE": "enable=no",
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

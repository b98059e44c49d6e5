@testable import ExploreTesting
import Foundation

/// X8: failing schedules that are kept in a folder next to the tests.
///
/// The tests run ``KeptVictim`` in a ``TestProcess``, whose folder replaces the folder of the test's file.
@Suite struct KeptScheduleTests {
  #if os(Linux)
    private func run(
      _ process: TestProcess, _ environment: [String: String] = [:]
    ) throws -> TestProcess.Session {
      try process.run("KeptVictim", environment.merging(["KIT_FOLDER": process.path]) { $1 })
    }

    private func file(of process: TestProcess) -> String {
      process.path
        + "/.schedules/ExploreTestingTests-KeptVictim-nothingIsSoldTwice.schedule"
    }

    @Test("X8: a failing schedule is kept on request, and then replayed before any seed")
    func keeps() throws {
      let process = try TestProcess()
      let plain = try run(process)
      #expect(plain.runs > 1 && !FileManager.default.fileExists(atPath: file(of: process)))
      let found = try run(process, ["EXPLORE_KEEP": "1"])
      #expect(found.text.contains("\(file(of: process)) now contains this schedule"))
      let kept = try String(contentsOfFile: file(of: process), encoding: .utf8)
      #expect(kept.utf8.count < 500)
      let again = try run(process)
      #expect(again.runs == 1 && !again.hasPassed)
      #expect(again.text.contains("schedule 1 of 1 in \(file(of: process)) recorded an issue"))
      // A schedule that fails again is not added to the file a second time.
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      #expect(try String(contentsOfFile: file(of: process), encoding: .utf8) == kept)
    }

    @Test("X8: a second kept schedule is appended to the file, after the first one")
    func keepsBoth() throws {
      let process = try TestProcess()
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      let kept = try String(contentsOfFile: file(of: process), encoding: .utf8)
      // Without forced switches, the schedule passes, so the seeds run and find the failure again.
      let lines = kept.split(separator: "\n").filter { !$0.hasPrefix("switch ") }
      let passing = lines.map { $0 + "\n" }.joined()
      #expect(passing != kept)
      try passing.write(toFile: file(of: process), atomically: true, encoding: .utf8)
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      #expect(try String(contentsOfFile: file(of: process), encoding: .utf8) == passing + kept)
    }

    @Test("X8, X22: the schedule of a survived trap is kept on request")
    func keepsTrap() throws {
      let process = try TestProcess()
      let found = try process.run(
        "KeptTrapVictim", ["EXPLORE_KEEP": "1", "KIT_FOLDER": process.path])
      let file = process.path + "/.schedules/ExploreTestingTests-KeptTrapVictim-traps.schedule"
      #expect(found.text.contains("\(file) now contains this schedule"), "\(found.text)")
    }

    @Test("X22: the filter for a trapped test matches that test and no other")
    func filter() throws {
      let filter = try Regex(TrapSearch.filter(for: "A.`a + b`/test()"))
      #expect("A.`a + b`/test()/B.swift:1:1".contains(filter))
      #expect(!"A.`a - b`/test()".contains(filter) && !"A.`a + b`/test()s".contains(filter))
      #expect(!"AA.`a + b`/test()".contains(filter))
    }

    @Test("X8: a kept schedule that the code no longer follows is refused, and the seeds run")
    func refuses() throws {
      let process = try TestProcess()
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      let mended = try run(process, ["KIT_EDIT": "mended"])
      #expect(mended.text.contains("is refused: the code has changed since it was kept"))
      #expect(mended.hasPassed && mended.runs == 101)
      // The schedule stays valid after an edit that affects none of its switches.
      let edited = try run(process, ["KIT_EDIT": "log"])
      #expect(!edited.text.contains("is refused") && edited.runs == 1 && !edited.hasPassed)
    }

    @Test("X8: a file that contains anything but kept schedules is reported, and left unchanged")
    func otherFile() throws {
      let process = try TestProcess()
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      try "a poem\n".write(toFile: file(of: process), atomically: true, encoding: .utf8)
      let session = try run(process, ["EXPLORE_KEEP": "1"])
      #expect(session.text.contains("remove it, and keep the failures again"))
      #expect(
        session.text.contains(
          "is not a valid schedule file; remove it, so that this schedule can be kept"))
      #expect(session.runs > 1)
      #expect(try String(contentsOfFile: file(of: process), encoding: .utf8) == "a poem\n")
    }

    @Test("X8: a single requested seed runs without the kept schedules")
    func seed() throws {
      let process = try TestProcess()
      _ = try run(process, ["EXPLORE_KEEP": "1"])
      #expect(try !run(process, ["EXPLORE_SEED": "3"]).text.contains(".schedules/"))
    }
  #endif

  @Test("X8: a file may contain several schedules, and all are read")
  func several() throws {
    let files = (1...3).map { number in
      ReplayFile(
        test: "Module.Suite/test()", seed: UInt64(number),
        switches: [
          ForcedSwitch(after: ForcedSwitch.Moment(task: 1, step: number), run: 2)
        ])
    }
    let text = files.map(\.text).joined()
    #expect(ReplayFile.all(in: text) == files)
    #expect(ReplayFile.all(in: "") == nil)
    #expect(ReplayFile.all(in: "explore 1\n") == nil)
    #expect(ReplayFile.all(in: "a poem\n" + text) == nil)
    #expect(ReplayFile.all(in: text + "explore 2\n") == nil)
  }

  @Test("X8: a kept schedule is replayed by its own test, not by one with a similar name")
  func sameWords() async throws {
    let folder = NSTemporaryDirectory() + "kept-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let place = SourceLocation(
      fileID: "A/B.swift", filePath: "\(folder)/B.swift", line: 1, column: 1)
    let test = try #require(Test.current)
    let switches = [ForcedSwitch(after: ForcedSwitch.Moment(task: 1, step: 900), run: 2)]
    for (name, isReplayed) in [("\(test.replayName)_", false), (test.replayName, true)] {
      let file = ReplayFile(test: name, seed: 1, switches: switches)
      _ = KeptSchedules(of: test, at: place).keep(file)
      let issues = await recordedIssues {
        await explore(seeds: 1, allowing: [.noChoice], sourceLocation: place) {}
      }
      #expect(issues.say("is refused: the code has changed") == isReplayed)
    }
    let gone = ReplayFile(test: "Suite/gone()", seed: 1, switches: switches)
    _ = KeptSchedules(of: test, at: place).keep(gone)
    let issues = await recordedIssues {
      await explore(seeds: 1, allowing: [.noChoice], sourceLocation: place) {}
    }
    #expect(issues.say("is not replayed, because it was kept by the test Suite/gone()"))
  }

  @Test("X8: a schedule that is too long to read back is not kept, and a message explains why")
  func long() throws {
    let test = try #require(Test.current)
    let folder = NSTemporaryDirectory() + "kept-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kept = KeptSchedules(
      of: test,
      at: SourceLocation(fileID: "A/B.swift", filePath: "\(folder)/B.swift", line: 1, column: 1))
    let forced = ForcedSwitch(after: ForcedSwitch.Moment(task: 1, step: 1), run: 2)
    var file = ReplayFile(switches: Array(repeating: forced, count: KeptSchedules.longest + 1))
    #expect(kept.keep(file).contains("has 65 switches and is not kept"))
    #expect(kept.files == [])
    file.switches.removeLast()
    // The second call finds the schedule in the file.
    for _ in 0..<2 { #expect(kept.keep(file).contains("contains this schedule")) }
    #expect(kept.files == [file])
  }
}

/// A test that fails; ``KeptScheduleTests`` runs it in separate processes.
@Suite(.enabled(if: TestProcess.isThis)) struct KeptVictim {
  private actor Stock {
    var count = 1
    func sell() async {
      guard count > 0 else { return }
      await Task.yield()
      count -= 1
    }
    func look() {}
  }

  @Test func nothingIsSoldTwice() async {
    let environment = ProcessInfo.processInfo.environment
    let edit = environment["KIT_EDIT"]
    await explore(seeds: 100, allowing: .noChoice, sourceLocation: victimPlace) {
      print("a run begins")
      let stock = Stock()
      let first = Task { await stock.sell() }
      if edit == "mended" { await first.value }
      let second = Task { await stock.sell() }
      for task in [first, second] { await task.value }
      if edit == "log" { for _ in 0..<5 { await stock.look() } }
      #expect(await stock.count >= 0)
    }
  }
}

/// A test that survives its trap; ``KeptScheduleTests`` runs it in a separate process.
@Suite(.enabled(if: TestProcess.isThis)) struct KeptTrapVictim {
  @Test func traps() async {
    var exploration = Exploration(seeds: 100)
    exploration.survivesTraps = true
    await explore(exploration, sourceLocation: victimPlace) {
      let account = Account()
      let tasks = (0..<2).map { _ in Task { await account.withdraw(80) } }
      for task in tasks { await task.value }
      let balance = await account.balance
      precondition(balance >= 0, "overdrawn")
    }
  }
}

/// A location in the folder of the process.
private var victimPlace: SourceLocation {
  let folder = ProcessInfo.processInfo.environment["KIT_FOLDER"] ?? ""
  return SourceLocation(
    fileID: #fileID, filePath: "\(folder)/Tests.swift", line: 1, column: 1)
}

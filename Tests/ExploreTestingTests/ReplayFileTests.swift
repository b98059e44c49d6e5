import Foundation

/// X8 from the user's point of view: a test fails and writes a file, and a replay with that file fails in the same way.
///
/// The test is ``Victim``, which runs in a ``TestProcess``.
@Suite struct ReplayFileTests {
  #if os(Linux)
    @Test("X8: a failure replays from its file with one run, even after an unrelated edit")
    func replay() throws {
      let process = try TestProcess()
      let found = try process.run("Victim")
      let file = try #require(found.file)
      #expect(found.runs > 1)
      let again = try process.run("Victim", ["EXPLORE_REPLAY": file])
      #expect(again.runs == 1)
      #expect(again.text.contains("the replayed schedule recorded an issue"))
      #expect(!again.text.contains("diverged"))
      let edited = try process.run("Victim", ["EXPLORE_REPLAY": file, "KIT_EDIT": "log"])
      #expect(edited.runs == 1)
      #expect(edited.text.contains("the replayed schedule recorded an issue"))
      let seed = try process.run("Victim", ["EXPLORE_SEED": "0"])
      #expect(seed.text.contains("explore: seed 0") && seed.text.contains(" 1 scenario\n"))
    }

    @Test("X8, X11: a failure that needs a cancellation replays from its file")
    func cancellation() throws {
      let process = try TestProcess()
      let file = try #require(try process.run("CancelledVictim").file)
      let again = try process.run("CancelledVictim", ["EXPLORE_REPLAY": file])
      #expect(again.text.contains("the replayed schedule recorded an issue"))
    }

    @Test("X8: a schedule that no test of the process replays is reported")
    func otherTest() throws {
      let process = try TestProcess()
      let file = try #require(try process.run("Victim").file)
      let other = try process.run("CancelledVictim", ["EXPLORE_REPLAY": file])
      #expect(other.text.contains("EXPLORE_REPLAY: no test replayed \(file), which belongs to"))
    }

    @Test("X8: each report of a test has its own file")
    func twoReports() throws {
      let process = try TestProcess()
      let text = try process.run("VictimWithArguments").text
      let files = text.matches(of: /EXPLORE_REPLAY=(\S+)/).map { String($0.1) }
      #expect(files.count == 2 && Set(files).count == 2, "\(files)")
    }

    @Test("X8: a file that is not a schedule is refused with a message")
    func notASchedule() throws {
      let process = try TestProcess()
      let session = try process.run("Victim", ["EXPLORE_REPLAY": process.path + "/none"])
      #expect(
        session.text.contains(
          "EXPLORE_REPLAY: needs the .schedule file that a failure report names"))
      #expect(session.text.contains("/none\", which cannot be read as a schedule"))
      #expect(session.runs == 0)
    }

    @Test("X8: a replay of changed code says at which step it diverged")
    func divergence() throws {
      let process = try TestProcess()
      let file = try #require(try process.run("Victim").file)
      let mended = try process.run("Victim", ["EXPLORE_REPLAY": file, "KIT_EDIT": "mended"])
      #expect(mended.runs == 1)
      #expect(mended.text.contains("did not fail; the program diverged"))
      #expect(mended.text.contains("at step"))
    }
  #endif
}

/// A test that fails for each argument; ``ReplayFileTests`` runs it in a separate process.
@Suite(.enabled(if: TestProcess.isThis)) struct VictimWithArguments {
  @Test(arguments: [1, 2]) func isNeverLast(_ number: Int) async {
    await explore(seeds: 50) {
      let log = Log<Int>()
      let tasks = (1...2).map { number in Task { log.append(number) } }
      for task in tasks { await task.value }
      #expect(log.all.last != number)
    }
  }
}

/// A test that fails; ``ReplayFileTests`` runs it in separate processes.
@Suite(.enabled(if: TestProcess.isThis)) struct Victim {
  private actor Stock {
    var count = 1
    var log: [String] = []
    func sell() async -> Bool {
      guard count > 0 else { return false }
      await Task.yield()
      count -= 1
      return true
    }
    func write(_ text: String) { log.append(text) }
  }

  @Test func nothingIsSoldTwice() async {
    let edit = ProcessInfo.processInfo.environment["KIT_EDIT"]
    await explore(seeds: 100) {
      print("a run begins")
      let stock = Stock()
      let first = Task(name: "first") { _ = await stock.sell() }
      if edit == "mended" { await first.value }
      let second = Task(name: "second") { _ = await stock.sell() }
      for task in [first, second] { await task.value }
      // An edit that has nothing to do with the bug.
      if edit == "log" { for _ in 0..<5 { await stock.write("sold") } }
      #expect(await stock.count >= 0)
    }
  }
}

/// Fails if it is cancelled; ``ReplayFileTests`` runs it in a separate process.
@Suite(.enabled(if: TestProcess.isThis)) struct CancelledVictim {
  @Test func isCancelled() async {
    await exploreCancelling {
      await Task.yield()
      #expect(!Task.isCancelled)
    }
  }
}

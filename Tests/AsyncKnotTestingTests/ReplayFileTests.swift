import AsyncKnotTesting
import Foundation
import Testing

/// X8 as its users meet it: a test that fails, the file that it writes, and the same test with the file.
///
/// The test is ``Victim``, in a process of its own, which is this test program once more.
@Suite struct ReplayFileTests {
  /// What a process wrote.
  private struct Session {
    let text: String
    /// How often the scenario began.
    var runs: Int { text.components(separatedBy: "a run begins").count - 1 }

    /// The file that the text names.
    var file: String? {
      guard let start = text.range(of: "EXPLORE_REPLAY=") else { return nil }
      return String(text[start.upperBound...].prefix { $0 != " " && $0 != "\n" })
    }
  }

  /// Where the files of one test are.
  private final class Folder {
    let path = NSTemporaryDirectory() + "replay-\(UUID().uuidString)"
    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func runVictim(_ folder: Folder, _ environment: [String: String] = [:]) throws -> Session
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--testing-library", "swift-testing", "--filter", "Victim"]
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("EXPLORE")
    }
    .merging(["TMPDIR": folder.path, "KIT_VICTIM": "1"]) { $1 }
    .merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Session(text: String(decoding: data, as: UTF8.self))
  }

  #if os(Linux)
    @Test("X8: a failure replays from its file with one run, also after an unrelated edit")
    func replay() throws {
      let folder = try Folder()
      let found = try runVictim(folder)
      let file = try #require(found.file)
      #expect(found.runs > 1)
      let again = try runVictim(folder, ["EXPLORE_REPLAY": file])
      #expect(again.runs == 1)
      #expect(again.text.contains("the replayed schedule recorded an issue"))
      #expect(!again.text.contains("diverged"))
      let edited = try runVictim(folder, ["EXPLORE_REPLAY": file, "KIT_EDIT": "log"])
      #expect(edited.runs == 1)
      #expect(edited.text.contains("the replayed schedule recorded an issue"))
      let seed = try runVictim(folder, ["EXPLORE_SEED": "0"])
      #expect(seed.text.contains("explore: seed 0"))
    }

    @Test("X8: a file that is none is said to be none")
    func noFile() throws {
      let folder = try Folder()
      let session = try runVictim(folder, ["EXPLORE_REPLAY": folder.path + "/none"])
      #expect(session.text.contains("EXPLORE_REPLAY: needs the file of a schedule; got "))
      #expect(session.runs == 0)
    }

    @Test("X8: a replay of a program that goes otherwise says at which step it diverged")
    func divergence() throws {
      let folder = try Folder()
      let file = try #require(try runVictim(folder).file)
      let mended = try runVictim(folder, ["EXPLORE_REPLAY": file, "KIT_EDIT": "mended"])
      #expect(mended.runs == 1)
      #expect(mended.text.contains("did not fail; it diverged"))
      #expect(mended.text.contains("at step"))
    }
  #endif
}

/// A test that fails, for the processes of ``ReplayFileTests``.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["KIT_VICTIM"] != nil)) struct Victim {
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
      // Something that has nothing to do with it.
      if edit == "log" { for _ in 0..<5 { await stock.write("sold") } }
      #expect(await stock.count >= 0)
    }
  }
}

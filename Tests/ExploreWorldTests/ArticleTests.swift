import ExploreWorld
import TestSupport
import Testing

/// The store of the article *A server that survives*, before and after the fix.
@Suite struct ArticleTests {
  private actor Store {
    private let files: FaultyDisk.Files
    private let isMended: Bool
    private var values: [String: String] = [:]

    init(_ files: FaultyDisk.Files, isMended: Bool) async throws {
      self.files = files
      self.isMended = isMended
      let text = String(decoding: try await files.read("log") ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") {
        guard !isMended || line.hasSuffix(";") else { continue }
        let parts = (isMended ? line.dropLast() : line).split(separator: "=", maxSplits: 1)
        if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
      }
    }

    func set(_ key: String, to value: String) async throws {
      let line = isMended ? "\n\(key)=\(value);" : "\(key)=\(value)\n"
      try await files.append(Array(line.utf8), to: "log")
      try await files.sync()
      values[key] = value
    }

    func value(of key: String) -> String? { values[key] }
  }

  private static func scenario(isMended: Bool, _ link: FaultyLink) async throws {
    let server = FaultyProcess(on: FaultyDisk()) { life in
      try await Store(life.files, isMended: isMended)
    }
    var confirmed: [String] = []
    for key in ["a", "b"] {
      do {
        try await link.call { try await server.call { try await $0.set(key, to: "1") } }
        confirmed.append(key)
      } catch {}
    }
    try await calm { [confirmed] in
      server.crash()
      for key in confirmed {
        let value = try await link.call { try await server.call { await $0.value(of: key) } }
        try hold(value == "1", "\(key) is \(value ?? "lost")")
      }
    }
  }

  /// A smaller scenario, for an exhaustive search: several stores use one disk, one after another.
  private static func small(isMended: Bool) async throws {
    let disk = FaultyDisk()
    var confirmed: [String] = []
    for key in ["a", "b"] {
      do {
        try await Store(disk.open(), isMended: isMended).set(key, to: "1")
        confirmed.append(key)
      } catch {}
    }
    try await calm { [confirmed] in
      disk.crash()
      let store = try await Store(disk.open(), isMended: isMended)
      for key in confirmed {
        let value = await store.value(of: key)
        try hold(value == "1", "\(key) is \(value ?? "lost")")
      }
    }
  }

  @Test("X17: the article's bug needs one crash at a certain step, and the report names the crash")
  func isFound() async {
    let issues = await recordedIssues {
      await explore(seeds: 2_000) { try await Self.scenario(isMended: false, FaultyLink()) }
    }
    #expect(issues.say("It fails with 1 crash, 2 other choices and no forced switch."))
    #expect(issues.say("fault: crash, changes kept: 0, bytes kept of the next change: 3"))
  }

  @Test(
    "X17: the article's fixed store passes with every kind of fault of links, disks and processes")
  func isMended() async {
    await explore(seeds: 300) { try await Self.scenario(isMended: true, FaultyLink()) }
  }

  @Test(
    "X17, X9: the fixed store passes every schedule with up to two faults, but the broken store fails"
  )
  func isProved() async {
    let count = await exploreAll(faults: 2) { try await Self.small(isMended: true) }
    #expect(count ?? 0 > 50)
    let issues = await recordedIssues {
      await exploreAll(faults: 1) { try await Self.small(isMended: false) }
    }
    #expect(issues.say("It fails with 1 crash, "))
  }
}

import ExploreWorld
import TestSupport
import Testing

/// A key-value store on a faulty disk behind a faulty link.
///
/// The client numbers its changes, and the store ignores a change that is not newer than the last one.
actor LogStore {
  /// The bugs that a store may have.
  enum Flaw { case none, noSync, tornLine, anyOrder, answersFirst }

  private let files: FaultyDisk.Files
  private let flaw: Flaw
  private var numbers: [String: Int] = [:]
  /// The task that writes the last change to the disk; `nil` before the first change.
  private var writing: Task<Void, Never>?

  init(_ files: FaultyDisk.Files, flaw: Flaw = .none) async throws {
    self.files = files
    self.flaw = flaw
    let text = String(decoding: try await files.read("log") ?? [], as: UTF8.self)
    var lines = text.split(separator: "\n")
    // A line that a crash has cut off is not a change, and the next line must not continue it.
    if !text.isEmpty, !text.hasSuffix("\n"), flaw != .tornLine {
      lines.removeLast()
      try await files.write(Array(lines.map { "\($0)\n" }.joined().utf8), to: "new")
      try await files.sync()
      try await files.rename("new", to: "log")
    }
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { numbers[String(parts[0])] = Int(parts[1]) ?? -1 }
    }
  }

  func set(_ key: String, to number: Int) async throws {
    let before = writing
    let task = Task {
      await before?.value; return try await append(key, number)
    }
    writing = Task { _ = await task.result }
    try await task.value
  }

  private func append(_ key: String, _ number: Int) async throws {
    guard flaw == .anyOrder || number > numbers[key] ?? 0 else { return }
    if flaw == .answersFirst { numbers[key] = number }
    try await files.append(Array("\(key)=\(number)\n".utf8), to: "log")
    if flaw != .noSync { try await files.sync() }
    numbers[key] = number
  }

  func number(of key: String) -> Int { numbers[key] ?? 0 }
}

@Suite struct StoreTests {
  /// Sets a value to 1, 2 and 3, crashes, and requires that no confirmed value is lost.
  static func scenario(_ flaw: LogStore.Flaw) async throws {
    let link = FaultyLink()
    let process = FaultyProcess(on: FaultyDisk()) { try await LogStore($0.files, flaw: flaw) }
    var confirmed = 0
    for number in 1...3 {
      let isConfirmed = try? await link.call { () async throws -> Bool in
        try await process.call { try await $0.set("key", to: number) }
        return true
      }
      if isConfirmed == true { confirmed = number }
    }
    try await calm { [confirmed] in
      // In a crash, the process loses the data that it has only in memory.
      process.crash()
      let number = try await link.call { try await process.call { await $0.number(of: "key") } }
      try hold(
        (confirmed...3).contains(number), "the store has \(number), but \(confirmed) was confirmed")
    }
  }

  @Test("X17: data that a store has confirmed survives any crash")
  func holds() async { await explore(seeds: 1_000) { try await Self.scenario(.none) } }

  @Test(
    "X17: a store that does not sync, continues a torn line, reorders changes, or confirms them too early is detected",
    arguments: [LogStore.Flaw.noSync, .tornLine, .anyOrder, .answersFirst])
  func found(_ flaw: LogStore.Flaw) async {
    let failure = await Exploration(seeds: 3_000).firstFailure { try await Self.scenario(flaw) }
    #expect(failure != nil)
  }
}

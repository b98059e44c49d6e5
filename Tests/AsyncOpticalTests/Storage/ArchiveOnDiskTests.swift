import AsyncOptical
import ExploreWorld
import TestSupport
import Testing

/// Archives on a disk that loses unsynced bytes, in a process that crashes.
@Suite struct ArchiveOnDiskTests {
  /// How the bytes of a state reach the disk.
  enum Way: CaseIterable { case renamed, inPlace, unsynced }

  private struct DiskStorage: StateStorage {
    let files: FaultyDisk.Files
    let way: Way

    func read() async throws -> [UInt8]? { try await files.read("state") }
    func write(_ bytes: [UInt8]) async throws {
      try await files.write(bytes, to: way == .inPlace ? "state" : "new")
      if way != .unsynced { try await files.sync() }
      guard way != .inPlace else { return }
      try await files.rename("new", to: "state")
      if way != .unsynced { try await files.sync() }
    }
    func setAside() async throws -> String {
      try await files.rename("state", to: "damaged")
      try await files.sync()
      return "damaged"
    }
  }

  private struct NotANumber: Error {}

  private static func archive(_ files: FaultyDisk.Files, _ way: Way) -> StateArchive<Int> {
    StateArchive(
      storage: DiskStorage(files: files, way: way), encode: { Array("\($0)".utf8) },
      decode: { bytes in
        guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { throw NotANumber() }
        return number
      })
  }

  /// Saves from several tasks, crashes, and loads.
  private static func scenario(_ way: Way) async throws {
    enum Event: Equatable { case begins(Int), ends(Int) }
    let events = Log<Event>()
    let process = FaultyProcess(on: FaultyDisk()) { archive($0.files, way) }
    await withDiscardingTaskGroup { group in
      for task in 0..<3 {
        group.addTask {
          for number in [1 + task, 4 + task] {
            let isSaved = try? await process.call { archive -> Bool in
              events.append(.begins(number))
              try await archive.save(number)
              events.append(.ends(number))
              return true
            }
            sometimes("a save is interrupted by a crash", isSaved == nil)
          }
        }
      }
    }
    try await calm {
      process.crash()
      let outcome = try await process.call { try await $0.load() }
      let all = events.all
      let saved = (1...6).filter { all.contains(.ends($0)) }
      switch outcome {
      case .nothing: try hold(saved.isEmpty, "nothing was found, but \(saved) were saved")
      case .state(let number, _):
        // A save that began after the save of `number` ended would have replaced this state.
        let end = all.firstIndex(of: .ends(number)) ?? all.endIndex
        let later = all[end...].filter {
          if case .begins(let next) = $0 { saved.contains(next) } else { false }
        }
        try hold(later.isEmpty, "found \(number), but \(later) was saved after it")
      case .damaged(let reason, _): throw Violation(description: "damaged: \(reason)")
      case .outdated: throw Violation(description: "outdated")
      }
    }
  }

  @Test("O9, X17: a saved state exists after any crash, and is never damaged")
  func holds() async { await explore(seeds: 2_000) { try await Self.scenario(.renamed) } }

  @Test("O9, X17: each run continues with the state that the previous run saved, crash after crash")
  func secondCrash() async {
    /// Loads again if a crash interrupts the load.
    @Sendable func load(
      _ process: FaultyProcess<StateArchive<Int>>
    ) async -> StateArchive<Int>.Outcome {
      while true {
        if let outcome = try? await process.call({ try await $0.load() }) { return outcome }
        await Task.yield()
      }
    }
    await explore(seeds: 2_000) {
      let process = FaultyProcess(on: FaultyDisk()) { Self.archive($0.files, .renamed) }
      let (begun, saved) = (Shared(0), Shared(0))
      for run in 1...3 {
        let outcome = await load(process)
        let found: Int
        switch outcome {
        case .nothing: found = 0
        case .state(let number, _): found = number
        case .outdated, .damaged: throw Violation(description: "run \(run) finds \(outcome)")
        }
        let known = saved.value...begun.value
        try hold(known.contains(found), "run \(run) finds \(found), but \(known) were saved")
        sometimes("a later run finds a state", run > 1 && found > 0)
        async let saving: Void = {
          for number in found + 1...found + 3 {
            begun.value = number
            guard (try? await process.call { try await $0.save(number) }) != nil else { return }
            saved.value = number
          }
        }()
        for _ in 0..<choose("steps before the crash", from: [3, 9, 27]) { await Task.yield() }
        process.crash()
        _ = await saving
      }
    }
  }

  @Test(
    "O9, X17: the tests detect storage that writes its file in place or does not sync",
    arguments: [Way.inPlace, .unsynced])
  func found(_ way: Way) async {
    let failure = await Exploration(seeds: 2_000).firstFailure { try await Self.scenario(way) }
    let text = "\(failure.map { "\($0)" } ?? "")"
    #expect(text.contains(way == .inPlace ? "damaged" : "saved"), "\(text)")
  }
}

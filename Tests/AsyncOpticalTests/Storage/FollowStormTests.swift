/// Followers, restores and saves in any order, over bytes of an earlier run.
@Suite struct FollowStormTests {
  private actor Notes: Opticle {
    typealias Request = Never
    let knot = Knot<[String]>([])
    func dispatch(_ request: Never) async {}
    func mutate(_ state: inout [String], response: String) { state.append(response) }
    func recover(_ state: inout [String], request: Never, error: any Error) {}
  }

  private struct Write: Sendable {
    let old: String?
    let new: String
    /// Whether the write comes from a call to `save(_:)`, not from a follower.
    let isExplicit: Bool

    @TaskLocal static var isExplicit = false
  }

  /// Storage that suspends in each access, fails at random, and logs what each write replaces.
  private final class Shelf: StateStorage {
    let text: Shared<String?>
    let writes = Log<Write>()

    init(_ text: String?) { self.text = Shared(text) }

    func read() async throws -> [UInt8]? {
      await Task.yield()
      if fault("failed read") { throw Broken() }
      return text.value.map { Array($0.utf8) }
    }
    func write(_ bytes: [UInt8]) async throws {
      await Task.yield()
      if fault("failed write") { throw Broken() }
      let new = String(decoding: bytes, as: UTF8.self)
      let old = text.mutex.withLock { text in
        defer { text = new }
        return text
      }
      writes.append(Write(old: old, new: new, isExplicit: Write.isExplicit))
    }
    func setAside() async throws -> String {
      await Task.yield()
      if fault("full folder") { throw Broken() }
      text.value = nil
      return "aside"
    }
  }

  private static let head = "AsyncKnot state 1\n"

  private static func archive(_ shelf: Shelf) -> StateArchive<[String]> {
    StateArchive(
      storage: shelf, encode: { Array($0.joined(separator: ",").utf8) },
      decode: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.contains("?") else { throw Broken() }
        return text.split(separator: ",").map(String.init)
      })
  }

  private enum Step: Sendable { case restore, commit, follow, save, cancel }

  @Test(
    "O9: a follower never replaces bytes that were not read, in any order of events")
  func storm() async {
    await exploreContract(seeds: 6_000) {
      let before = choose("stored", from: [Self.head + "old", Self.head + "old?", nil])
      let (shelf, notes, saving) = (Shelf(before), Notes(), TaskBag())
      let (archive, errors) = (Self.archive(shelf), Log<String>())
      let mayReplace = Shared(before == nil)
      @Sendable func carryOut(_ step: Step, _ name: String) async {
        switch step {
        case .commit: await notes.commit(name)
        case .follow: archive.follow(notes, in: saving) { errors.append("\($0)") }
        case .cancel: saving.cancel()
        case .save:
          let state = notes.state + ["saved"]
          try? await Write.$isExplicit.withValue(true) { try await archive.save(state) }
        case .restore:
          switch try? await notes.restore(from: archive) {
          case .nothing, .state, .damaged(_, keptAt: .some): mayReplace.value = true
          case .outdated, .damaged, nil: break
          }
        }
      }
      await withDiscardingTaskGroup { group in
        for (name, steps) in [
          ("a", [.follow, .restore, .commit, .cancel]), ("b", [.restore, .commit, .save, .follow]),
        ] as [(String, [Step])] {
          group.addTask {
            for _ in 0..<3 {
              await carryOut(choose("step", from: steps), name)
              await Task.yield()
            }
          }
        }
      }
      await calm { await untilIdle() }
      for write in shelf.writes.all where !write.isExplicit && write.old == before {
        guard let before else { continue }
        let isRead = !before.contains("?") && write.new.contains("old")
        try hold(isRead, "“\(before)” was replaced by “\(write.new)”")
        sometimes("bytes that were read are replaced")
      }
      sometimes("a follower is refused", errors.all.contains { $0.contains("save(_:)") })
      // The newest state is saved as soon as the follower may replace the bytes, even if that state was committed earlier.
      try await calm {
        saving.cancel()
        archive.follow(notes, in: saving) { errors.append("\($0)") }
        await untilIdle()
        let isSaved = shelf.text.value == Self.head + notes.state.joined(separator: ",")
        let isFree = mayReplace.value || shelf.writes.all.contains { $0.isExplicit }
        try hold(isSaved || !isFree, "\(notes.state) is not saved: “\(shelf.text.value ?? "-")”")
        try hold(isSaved || shelf.text.value == before, "“\(shelf.text.value ?? "-")”")
        try? await Write.$isExplicit.withValue(true) { try await archive.save(["other"]) }
        await untilIdle()
        let isSavedNow = shelf.text.value == Self.head + notes.state.joined(separator: ",")
        try hold(isSavedNow || isSaved, "\(notes.state) is not saved: “\(shelf.text.value ?? "-")”")
        saving.cancel()
      }
    }
  }
}

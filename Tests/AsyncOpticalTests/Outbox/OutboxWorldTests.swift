import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import ExploreTesting
import ExploreWorld
import Synchronization
import TestSupport
import Testing

/// A client with an outbox, whose disk loses unsynced writes, whose link loses and repeats calls, and whose process crashes.
@Suite struct OutboxWorldTests {
  struct Note: Identifiable, Sendable {
    let id: Int
  }

  struct Refused: Error {}

  /// A server that takes each note once, even if it is sent repeatedly, and refuses notes whose id is divisible by three.
  final class Server: Sendable {
    let taken = Log<Int>()
    let asked = Log<Int>()

    func take(_ id: Int) throws {
      asked.append(id)
      guard !id.isMultiple(of: 3) else { throw Refused() }
      if !taken.all.contains(id) { taken.append(id) }
    }
  }

  /// Storage that replaces its file with a new file that is already synced to the disk.
  struct DiskStorage: StateStorage {
    let files: FaultyDisk.Files

    func read() async throws -> [UInt8]? { try await files.read("outbox") }

    func write(_ bytes: [UInt8]) async throws {
      try await files.write(bytes, to: "new")
      try await files.sync()
      try await files.rename("new", to: "outbox")
      try await files.sync()
    }

    func setAside() async throws -> String {
      try await files.rename("outbox", to: "aside")
      return "aside"
    }
  }

  actor Notes: Opticle {
    let knot = Knot<[Int]>([])
    let take: @Sendable (Int) async throws -> Void
    init(take: @escaping @Sendable (Int) async throws -> Void) { self.take = take }

    nonisolated func policy(for note: Note) -> DispatchPolicy { .serial("outbox") }
    func expectation(for note: Note) -> Int? { note.id }
    func dispatch(_ note: Note) async {
      await commit(expectationFor: note) { [take] in
        try await retry(
          RetryPolicy(attempts: .max, where: { !($0 is Refused) }, delay: { _, _ in .seconds(1) })
        ) { try await take(note.id) }
      }
    }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Note, error: any Error) {}
  }

  /// The part of the scenario that runs in the process.
  struct Client: Sendable {
    let notes: Notes
    let outbox: Outbox<Note>

    init(_ files: FaultyDisk.Files, take: @escaping @Sendable (Int) async throws -> Void)
      async throws
    {
      notes = Notes(take: take)
      outbox = try await Outbox(
        of: notes, storage: DiskStorage(files: files), encode: { Array("\($0.id)".utf8) },
        decode: { Note(id: Int(String(decoding: $0, as: UTF8.self)) ?? 0) }, request: { $0 })
    }
  }

  private static func scenario() async throws {
    let (server, link) = (Server(), FaultyLink())
    let process = FaultyProcess(on: FaultyDisk()) { life in
      try await Client(life.files) { id in try await link.call { try server.take(id) } }
    }
    var (stored, tried) = ([Int](), [Int]())
    for id in 1...4 {
      tried.append(id)
      let isStored: Void? = try? await process.call { try await $0.outbox.send(Note(id: id)) }
      if isStored != nil { stored.append(id) }
    }
    sometimes("the process has crashed", process.lives > 1)
    try await calm { [stored, tried] in
      process.crash()
      let left = try await process.call { client in
        for await state in client.outbox.states where state.waiting.isEmpty { break }
        // Wait until the items that are done are removed from the storage.
        await untilIdle()
        return client.outbox.state
      }
      let asked = server.asked.all
      for id in stored { try hold(asked.contains(id), "\(id) is lost: \(asked)") }
      let taken = server.taken.all
      try hold(taken == taken.sorted(), "taken out of order: \(taken)")
      try hold(taken.allSatisfy(tried.contains), "\(taken)")
      try hold(left.failure == nil && left.damage == nil, "\(left)")
      process.crash()
      let after = try await process.call { $0.outbox.state }
      try hold(after.waiting.isEmpty, "\(after.waiting) wait again although they are done")
      sometimes("a note is sent twice", asked.count > Set(asked).count)
      sometimes("a note was not stored", stored.count < tried.count)
    }
  }

  @Test("O19, X17: no crash, network fault or disk fault loses or reorders stored requests")
  func world() async {
    await explore(seeds: isSanitized ? 100 : 600) { try await Self.scenario() }
  }

  @Test(
    "O19: after a restart, the waiting items are shown again, in order, before the network is available"
  )
  func shownAgain() async {
    await exploreContract(seeds: 300) { try await calm { try await Self.restart() } }
  }

  private static func restart() async throws {
    struct Offline: Error {}
    let (disk, server, isOnline) = (FaultyDisk(), Server(), Shared(false))
    let first = try await Client(disk.open()) { _ in throw Offline() }
    for id in 1...4 { try await first.outbox.send(Note(id: id)) }
    disk.crash()
    let second = try await Client(disk.open()) { id in
      guard isOnline.value else { throw Offline() }
      try server.take(id)
    }
    for await state in second.notes.states where state.count == 4 { break }
    try hold(second.notes.state == [1, 2, 3, 4], "\(second.notes.state)")
    try hold(second.outbox.state.waiting.map(\.id) == [1, 2, 3, 4], "\(second.outbox.state)")
    isOnline.value = true
    for await state in second.outbox.states where state.waiting.isEmpty { break }
    try hold(server.taken.all == [1, 2, 4], "\(server.taken.all)")
    try hold(second.notes.state == [1, 2, 4], "\(second.notes.state)")
    first.notes.cancel("outbox")
  }
}

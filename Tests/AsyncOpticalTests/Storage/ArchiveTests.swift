import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ArchiveTests {
  /// Bytes in memory; writing may fail.
  private final class Memory: StateStorage {
    struct Content {
      var bytes: [UInt8]?
      var aside: [UInt8]?
      var writes = 0
      var isFull = false
    }
    let content: Mutex<Content>
    init(_ bytes: [UInt8]? = nil) { content = Mutex(Content(bytes: bytes)) }

    func read() throws -> [UInt8]? { content.withLock { $0.bytes } }
    func write(_ bytes: [UInt8]) throws {
      try content.withLock { content in
        if content.isFull { throw Broken() }
        content.bytes = bytes
        content.writes += 1
      }
    }
    func setAside() throws -> String {
      content.withLock { content in
        content.aside = content.bytes.take()
        return "aside"
      }
    }
  }

  private actor Notes: Opticle {
    struct State: Sendable, Codable, Equatable {
      var notes: [String] = []
      var pinned: String?
    }
    typealias Request = Never
    let knot = Knot(State())
    func dispatch(_ request: Never) async {}
    func mutate(_ state: inout State, response: String) { state.notes.append(response) }
    func recover(_ state: inout State, request: Never, error: any Error) {}
  }

  private static func coding(version: Int) -> StateCoding<Notes.State> {
    StateCoding(
      version: version, encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Notes.State.self, from: Data($0)) },
      migrate: { bytes, version in
        guard version == 1 else { throw StateCoding<Notes.State>.UnknownVersion(version: version) }
        return Notes.State(notes: try JSONDecoder().decode([String].self, from: Data(bytes)))
      })
  }

  private static func archive(_ memory: Memory, version: Int = 2) -> StateArchive<Notes.State> {
    StateArchive(storage: memory, coding: coding(version: version))
  }

  @Test("a state that was saved is restored in a later run")
  func roundTrip() async throws {
    let memory = Memory()
    let state = Notes.State(notes: ["a", "ü\n"], pinned: "a")
    try await Self.archive(memory).save(state)
    let notes = Notes()
    guard case .state(state, migratedFrom: nil) = await notes.restore(from: Self.archive(memory))
    else { throw Broken() }
    #expect(notes.state == state)
  }

  @Test("the first run finds nothing and keeps its state")
  func nothing() async throws {
    let notes = Notes()
    guard case .nothing = await notes.restore(from: Self.archive(Memory())) else { throw Broken() }
    #expect(notes.state == .init())
  }

  @Test("a state of an older version is migrated, and the outcome says from which")
  func migrates() async throws {
    let memory = Memory(Array("AsyncKnot state 1\n[\"old\"]".utf8))
    let notes = Notes()
    guard
      case .state(_, migratedFrom: 1) = await notes.restore(from: Self.archive(memory))
    else { throw Broken() }
    #expect(notes.state.notes == ["old"])
  }

  @Test(
    "what cannot be read is reported and kept aside",
    arguments: [
      "", "AsyncKnot", "AsyncKnot state 2", "AsyncKnot state 2\n", "AsyncKnot state x\n{}",
      "AsyncKnot state 2\n{\"notes\":[\"a\"", "AsyncKnot state 1\n{}", "AsyncKnot state 0\n[]",
      "AsyncKnot state 3\n{}", "\u{0}\u{1}",
    ])
  func damaged(text: String) async throws {
    let memory = Memory(Array(text.utf8))
    let notes = Notes()
    guard case .damaged(let reason, "aside") = await notes.restore(from: Self.archive(memory))
    else { throw Broken() }
    #expect(!"\(reason)".isEmpty)
    #expect(memory.content.withLock { $0.aside } == Array(text.utf8))
    #expect(memory.content.withLock { $0.bytes } == nil)
    #expect(notes.state == .init())
  }

  @Test("following saves the newest state, goes on after an error, and ends with the holder")
  func follows() async throws {
    await exploreContract(seeds: 300) {
      let memory = Memory()
      let errors = Log<String>()
      let bag = TaskBag()
      do {
        let notes = Notes()
        let archive = Self.archive(memory)
        archive.follow(notes, in: bag) { errors.append("\($0)") }
        await untilIdle()
        memory.content.withLock { $0.isFull = true }
        await notes.commit("lost")
        await untilIdle()
        memory.content.withLock { $0.isFull = false }
        for step in 0..<20 { await notes.commit("\(step)") }
      }
      await untilIdle()
      try hold(bag.isEmpty, "it goes on")
      try hold(errors.all == ["Broken()"], "\(errors.all)")
      guard case .state(let state, nil) = await Self.archive(memory).load() else { throw Broken() }
      try hold(state.notes.count == 21, "saved \(state.notes)")
      try hold(memory.content.withLock { $0.writes } <= 22, "written too often")
    }
  }

  @Test("a write that fails leaves the last state where it was")
  func failedWrite() async throws {
    let memory = Memory()
    let archive = Self.archive(memory)
    try await archive.save(.init(notes: ["a"]))
    memory.content.withLock { $0.isFull = true }
    await #expect(throws: Broken.self) { try await archive.save(.init(notes: ["b"])) }
    guard case .state(let state, nil) = await archive.load() else { throw Broken() }
    #expect(state.notes == ["a"])
  }
}

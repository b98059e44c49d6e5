import AsyncOptical
import Foundation
import Testing

@testable import History

/// The samples of the article on keeping a state across runs; `FileStorage` is the History example's.
actor Notes: Opticle {
  struct State: Codable, Equatable, Sendable {
    var notes: [String] = []
    var pinned: String?
  }
  let knot = Knot(State())

  func dispatch(_ note: String) async { commit(note) }
  func mutate(_ state: inout State, response: String) { state.notes.append(response) }
  func recover(_ state: inout State, request: String, error: any Error) {}
}

extension StateCoding where State: Codable {
  static func json(
    version: Int = 1,
    migrate: @escaping @Sendable ([UInt8], Int) throws -> State = {
      throw UnknownVersion(version: $1)
    }
  ) -> StateCoding {
    StateCoding(
      version: version,
      encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(State.self, from: Data($0)) },
      migrate: migrate)
  }
}

extension Notes {
  static func migrate(_ bytes: [UInt8], from version: Int) throws -> State {
    throw StateCoding<State>.UnknownVersion(version: version)
  }
}

/// Version 1 was a list of strings.
let notesCoding = StateCoding<Notes.State>.json(version: 2) { bytes, version in
  guard version == 1 else { throw StateCoding<Notes.State>.UnknownVersion(version: version) }
  return Notes.State(notes: try JSONDecoder().decode([String].self, from: Data(bytes)))
}

@Suite struct ArchiveSamples {
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("notes-\(UUID().uuidString).json")

  private func remove() {
    for name in [file, file.appendingPathExtension("damaged-1")] {
      try? FileManager.default.removeItem(at: name)
    }
  }

  /// One run of the program: what it said, and what it ended with.
  private func run(adding note: String) async throws -> (said: String, state: Notes.State) {
    let archive = StateArchive(storage: FileStorage(file: file), coding: notesCoding)
    let notes = Notes()
    let greeting =
      switch try await notes.restore(from: archive) {
      case .nothing: "welcome"
      case .state(_, migratedFrom: nil): "welcome back"
      case .state(_, migratedFrom: let version?): "taken over from version \(version)"
      case .outdated: "what you wrote meanwhile is newer, and stays"
      case .damaged(let reason, let place): "starting afresh: \(reason); kept as \(place ?? "-")"
      }

    let saving = TaskBag()
    archive.follow(notes, in: saving) { error in print("not saved: \(error)") }

    await notes.dispatch(note)
    await saving.cancelAndWait()
    try await archive.save(notes.state)
    return (greeting, notes.state)
  }

  @Test("Each run finds what the one before has saved; what is damaged is put aside")
  func runs() async throws {
    defer { remove() }
    #expect(try await run(adding: "a") == ("welcome", Notes.State(notes: ["a"])))
    #expect(try await run(adding: "b") == ("welcome back", Notes.State(notes: ["a", "b"])))
    try Data("AsyncKnot state 1\n[\"old\"]".utf8).write(to: file)
    let (said, state) = try await run(adding: "new")
    #expect(said == "taken over from version 1")
    #expect(state.notes == ["old", "new"])
    try Data("nonsense".utf8).write(to: file)
    let afresh = try await run(adding: "c").said
    #expect(afresh.hasPrefix("starting afresh: it is not a saved state; kept as notes-"))
    #expect(afresh.hasSuffix(".json.damaged-1"))
  }

  @Test("A coding of closures writes what it reads, and a damaged file begins afresh")
  func comments() async throws {
    defer { remove() }
    let coding = StateCoding<Notes.State>(
      version: 2,
      encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Notes.State.self, from: Data($0)) },
      migrate: { bytes, version in try Notes.migrate(bytes, from: version) })
    try await StateArchive(storage: FileStorage(file: file), coding: coding)
      .save(Notes.State(notes: ["a"]))
    let notes = Notes()

    let archive = StateArchive(storage: FileStorage(file: file), coding: notesCoding)
    if case .damaged(let reason, let place) = try await notes.restore(from: archive) {
      print("starting afresh: \(reason); kept as \(place ?? "-")")
    }
    let saving = TaskBag()  // not the holder's own: that ends before its last state
    archive.follow(notes, in: saving) { error in print("not saved: \(error)") }

    #expect(notes.state.notes == ["a"])
    await saving.cancelAndWait()
  }

  @Test("The bag is waited for until the last state is in the file")
  func lastState() async throws {
    defer { remove() }
    let archive = StateArchive(storage: FileStorage(file: file), coding: notesCoding)
    let saving = TaskBag()
    do {
      let notes = Notes()
      archive.follow(notes, in: saving) { error in print("not saved: \(error)") }
      for note in 1...20 { await notes.dispatch("\(note)") }
    }
    await saving.wait()
    guard case .state(let state, migratedFrom: nil) = try await archive.load() else {
      Issue.record("nothing was saved")
      return
    }
    #expect(state.notes.count == 20)
  }
}

import AsyncOptical
import Foundation
import Testing

@testable import History

actor Notes: Opticle {
  struct State: Codable, Equatable, Sendable {
    var notes: [String] = []
  }
  let knot = Knot(State())

  func dispatch(_ note: String) async { commit(note) }
  func mutate(_ state: inout State, response: String) { state.notes.append(response) }
  func recover(_ state: inout State, request: String, error: any Error) {}
}

extension StateArchive<Notes.State> {
  /// Version 1 was a list of strings.
  static func json(in file: URL) -> StateArchive {
    StateArchive(
      storage: FileStorage(file: file), version: 2,
      encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(State.self, from: Data($0)) },
      migrate: { bytes, version in
        guard version == 1 else { throw UnknownVersion(version: version) }
        return Notes.State(notes: try JSONDecoder().decode([String].self, from: Data(bytes)))
      })
  }
}

@Suite("FileStorage, of the example History, under an archive") struct FileStorageTests {
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("notes-\(UUID().uuidString).json")

  private func remove() {
    for name in [file, file.appendingPathExtension("damaged-1")] {
      try? FileManager.default.removeItem(at: name)
    }
  }

  /// One run of the program: what it said, and what it ended with.
  private func run(adding note: String) async throws -> (said: String, state: Notes.State) {
    let archive = StateArchive<Notes.State>.json(in: file)
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

  @Test("The bag is waited for until the last state is in the file")
  func lastState() async throws {
    defer { remove() }
    let archive = StateArchive<Notes.State>.json(in: file)
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

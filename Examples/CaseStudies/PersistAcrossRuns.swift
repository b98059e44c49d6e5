import AsyncKnotTesting
import AsyncOptical
import Foundation

/// Notes that are saved when the user adds them, so that the next run starts with all of them.
private actor Notes: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ note: String) async { commit(note) }
  func mutate(_ notes: inout [String], response note: String) { notes.append(note) }
  func recover(_ notes: inout [String], request: String, error: any Error) {}
}

/// A substitute for a file with slow writes.
private actor Disk: StateStorage {
  private var bytes: [UInt8]?
  func read() -> [UInt8]? { bytes }
  func write(_ bytes: [UInt8]) async throws {
    try? await Task.sleep(for: .milliseconds(10))
    self.bytes = bytes
  }
  func setAside() -> String { "damaged" }
}

private func archive(on disk: Disk) -> StateArchive<[String]> {
  StateArchive(
    storage: disk, encode: { Array(try JSONEncoder().encode($0)) },
    decode: { try JSONDecoder().decode([String].self, from: Data($0)) })
}

/// Runs the program once, and returns the notes with which the run starts.
///
/// If `isKilled` is `true`, the run ends without a last save.
private func run(
  adding added: [String], on disk: Disk, isKilled: Bool = false
) async throws -> [String] {
  let saving = TaskBag(), archive = archive(on: disk)
  let notes = Notes()
  _ = try await notes.restore(from: archive)
  let before = notes.state
  archive.follow(notes, in: saving) { error in Issue.record(error) }
  for note in added { await notes.dispatch(note) }
  if isKilled {
    try await Task.sleep(for: .seconds(1))
    return before
  }
  await saving.cancelAndWait()
  try await archive.save(notes.state)
  return before
}

@Test func nextRunStartsWithAllNotes() async {
  await explore(seeds: 500) {
    let disk = Disk()
    let first = try await run(adding: ["tea", "milk"], on: disk)
    let second = try await run(adding: ["", "two\nlines"], on: disk, isKilled: true)
    let third = try await run(adding: [], on: disk)
    #expect(first == [] && second == ["tea", "milk"])
    #expect(third == ["tea", "milk", "", "two\nlines"])
  }
}

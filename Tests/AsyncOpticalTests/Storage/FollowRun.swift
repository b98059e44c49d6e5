import AsyncKnot

/// A run of a program: a holder that an archive follows, over storage that suspends.
final class FollowRun: Sendable {
  actor Notes: Opticle {
    typealias Request = Never
    let knot = Knot<[String]>([])
    func dispatch(_ request: Never) async {}
    func mutate(_ state: inout [String], response: String) { state.append(response) }
    func recover(_ state: inout [String], request: Never, error: any Error) {}
  }

  let (notes, saving, errors) = (Notes(), TaskBag(), Log<String>())
  let archive: StateArchive<[String]>

  init(_ memory: Memory) {
    archive = StateArchive(
      storage: memory, encode: { Array($0.joined(separator: ",").utf8) },
      decode: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("?") { throw Broken() }
        return text.split(separator: ",").map(String.init)
      })
  }

  func follow() async {
    archive.follow(notes, in: saving) { [errors] in errors.append("\(type(of: $0))") }
    await untilIdle()
  }
  func commit(_ note: String) async {
    await notes.commit(note)
    await untilIdle()
  }
  func restore() async throws -> StateArchive<[String]>.Outcome {
    let outcome = try await notes.restore(from: archive)
    await untilIdle()
    return outcome
  }

  static func text(_ notes: String) -> String { "AsyncKnot state 1\n" + notes }

  static func memory(
    _ notes: String?, before: @escaping @Sendable (Memory.Access) async throws -> Void = { _ in }
  ) -> Memory {
    Memory(notes.map(text)) { access in
      await Task.yield()
      try await before(access)
    }
  }

  static func holdStored(_ memory: Memory, _ notes: String?, line: Int = #line) throws {
    let stored = memory.text
    try hold(stored == notes.map(text), "line \(line): the storage has \(stored ?? "nothing")")
  }
}

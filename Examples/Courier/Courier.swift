import AsyncKnot
import AsyncOptical
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends each line of its input to a server, even if the program or the server is killed in the meantime.
///
/// Usage: Courier OUTBOX URL    The program first sends the lines that the previous run has left in the file OUTBOX.
@main
struct Courier {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[2]) else {
      print("usage: Courier OUTBOX URL")
      exit(2)
    }
    let drafts = Drafts { try await post($0, to: url) }
    let outbox = try await Outbox<Edit>(
      of: drafts, storage: FileStorage(file: URL(fileURLWithPath: CommandLine.arguments[1])),
      encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Edit.self, from: Data($0)) }, request: { .send($0) })
    // `print` would buffer the lines if the output is a pipe.
    func tell(_ line: String) {
      try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }

    tell("\(outbox.state.waiting.count) left by the previous run")
    while let line = readLine() {
      try await outbox.send(Edit(id: UUID(), text: line))
      tell("stored \(line)")
    }
    for await state in outbox.states where state.waiting.isEmpty { break }
    tell("all sent, \(drafts.state.refused) refused")
  }

  /// Sends an edit to the server, which recognizes an edit that it already has by the edit's id.
  @Sendable static func post(_ edit: Edit, to url: URL) async throws {
    var request = URLRequest(url: url.appending(path: edit.id.uuidString))
    (request.httpMethod, request.httpBody) = ("POST", Data(edit.text.utf8))
    let (_, response) = try await URLSession.shared.data(for: request)
    switch (response as? HTTPURLResponse)?.statusCode {
    case 200: break
    case 422: throw Refused()
    case let status: throw Unreachable(status: status ?? 0)
    }
  }
}

struct Edit: Codable, Identifiable, Sendable {
  let id: UUID
  let text: String
}

struct Refused: Error {}
struct Unreachable: Error { let status: Int }

actor Drafts: Opticle {
  enum Request: Sendable { case send(Edit) }
  struct State: Sendable { var texts: [UUID: String] = [:], refused = 0 }

  let knot = Knot(State())
  private let post: @Sendable (Edit) async throws -> Void

  init(post: @escaping @Sendable (Edit) async throws -> Void) { self.post = post }

  nonisolated func policy(for request: Request) -> DispatchPolicy { .serial("outbox") }

  func expectation(for request: Request) -> Edit? {
    switch request {
    case .send(let edit): edit
    }
  }

  func dispatch(_ request: Request) async {
    guard case .send(let edit) = request else { return }
    let policy = RetryPolicy(attempts: .max, where: { !($0 is Refused) }) { _, _ in
      .milliseconds(5)
    }
    await commit(expectationFor: request) { [post] in
      try await retry(policy, timeout: .seconds(5)) { try await post(edit) }
    }
  }

  func mutate(_ state: inout State, response: Edit) { state.texts[response.id] = response.text }
  func recover(_ state: inout State, request: Request, error: any Error) { state.refused += 1 }
}

/// Storage in a file, which each write replaces atomically.
struct FileStorage: StateStorage {
  let file: URL

  func read() throws -> [UInt8]? {
    do {
      return Array(try Data(contentsOf: file))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: file, options: .atomic) }

  func setAside() throws -> String {
    var number = 1
    var place: URL { file.appendingPathExtension("damaged-\(number)") }
    while FileManager.default.fileExists(atPath: place.path) { number += 1 }
    try FileManager.default.moveItem(at: file, to: place)
    return place.lastPathComponent
  }
}

/// In-memory storage that runs a closure before each access and fails on request.
final class Memory: StateStorage {
  enum Access: Sendable { case read, write, setAside }

  struct Content {
    var bytes: [UInt8]?
    var aside: [UInt8]?
    var writes = 0
    var isFull = false
    /// Whether a write stores its bytes and then throws.
    var failsLate = false
  }

  let content: Mutex<Content>
  private let before: @Sendable (Access) async throws -> Void

  init(
    _ text: String? = nil, before: @escaping @Sendable (Access) async throws -> Void = { _ in }
  ) {
    content = Mutex(Content(bytes: text.map { Array($0.utf8) }))
    self.before = before
  }

  /// The bytes as text.
  var text: String? { content.withLock { $0.bytes }.map { String(decoding: $0, as: UTF8.self) } }

  func read() async throws -> [UInt8]? {
    try await before(.read)
    return content.withLock { $0.bytes }
  }

  func write(_ bytes: [UInt8]) async throws {
    try await before(.write)
    try content.withLock { content in
      if content.isFull { throw Broken() }
      content.bytes = bytes
      content.writes += 1
      if content.failsLate { throw Broken() }
    }
  }

  func setAside() async throws -> String {
    try await before(.setAside)
    return content.withLock { content in
      content.aside = content.bytes.take()
      return "aside"
    }
  }
}

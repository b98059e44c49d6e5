import AsyncKnot
import AsyncOptical
import Measure
import Synchronization

/// Storage that keeps its bytes in memory.
private final class Memory: StateStorage {
  private let bytes: Mutex<[UInt8]?>
  init(_ bytes: [UInt8]? = nil) { self.bytes = Mutex(bytes) }
  func read() async throws -> [UInt8]? { bytes.withLock { $0 } }
  func write(_ new: [UInt8]) async throws { bytes.withLock { $0 = new } }
  func setAside() async throws -> String { "aside" }
}

/// An item that is encoded as 16 bytes: its identifier, after spaces.
private struct Item: Identifiable, Sendable {
  let id: Int

  static func encode(_ item: Item) -> [UInt8] {
    let text = Array("\(item.id)".utf8)
    return Array(repeating: UInt8(ascii: " "), count: 16 - text.count) + text
  }

  static func decode(_ bytes: [UInt8]) throws -> Item {
    guard let id = Int(String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
    else { throw CancellationError() }
    return Item(id: id)
  }
}

/// Handles one item at a time, and answers none if `isOpen` is `false`.
private actor SentItems: Opticle {
  let knot = Knot(0)
  private let isOpen: Bool
  init(isOpen: Bool = true) { self.isOpen = isOpen }
  func dispatch(_ request: Int) async {
    while !isOpen, !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
    commit(request)
  }
  func mutate(_ state: inout Int, response: Int) { state = response }
  func recover(_ state: inout Int, request: Int, error: any Error) {}
  nonisolated func policy(for request: Int) -> DispatchPolicy { .serial("items") }

  nonisolated func outbox(in storage: Memory) async throws -> Outbox<Item> {
    try await Outbox(
      of: self, storage: storage, encode: Item.encode, decode: Item.decode, request: \.id)
  }
}

/// Returns the content of the storage while `count` items wait.
private func stored(_ count: Int) async throws -> [UInt8]? {
  let (items, storage) = (SentItems(isOpen: false), Memory())
  let outbox = try await items.outbox(in: storage)
  try await withThrowingDiscardingTaskGroup { group in
    for id in 1...count { group.addTask { try await outbox.send(Item(id: id)) } }
  }
  return try await storage.read()
}

/// Measures what an outbox adds to the cost of a request, and what a restart costs.
func outboxes(_ report: Report) async throws {
  let count = 10_000
  let plain = await minimum(of: 5) {
    let items = SentItems()
    for id in 1...count {
      items.send(id)
      await items.perform(0)
    }
  }
  let durable = try await minimum(of: 5) {
    let items = SentItems()
    let outbox = try await items.outbox(in: Memory())
    for id in 1...count {
      try await outbox.send(Item(id: id))
      await items.perform(0)
    }
  }
  func each(_ time: Duration) -> String { "\(figure(time.nanoseconds / Double(count) / 1_000)) us" }
  report.row("a request, one at a time", each(plain))
  report.row("the same through an outbox", each(durable))
  for waiting in [1_000, 10_000] {
    let bytes = try await stored(waiting)
    let restored = try await minimum(of: 5) {
      let items = SentItems(isOpen: false)
      let outbox = try await items.outbox(in: Memory(bytes))
      precondition(outbox.state.waiting.count == waiting)
    }
    report.row("\(waiting) waiting items read and sent", "\(figure(restored.milliseconds)) ms")
    let items = SentItems(isOpen: false)
    let outbox = try await items.outbox(in: Memory(bytes))
    let sent = try await minimum(of: 5, repetitions: 20) {
      try await outbox.send(Item(id: outbox.state.waiting.count + 1))
    }
    report.row("one item sent while \(waiting) wait", "\(figure(sent.nanoseconds / 1_000)) us")
  }
}

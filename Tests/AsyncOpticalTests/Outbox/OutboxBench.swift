import AsyncKnot
import Synchronization
import TestSupport

@testable import AsyncOptical

/// Creates outboxes over in-memory storage, for tests.
enum OutboxBench {
  struct Item: Identifiable, Sendable, Equatable {
    let id: Int
    var text = ""
  }

  struct Unknown: Error {}

  static func encode(_ item: Item) -> [UInt8] { Array("\(item.id) \(item.text)".utf8) }

  static func decode(_ bytes: [UInt8]) throws -> Item {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard let id = parts.first.flatMap({ Int($0) }) else { throw Unknown() }
    return Item(id: id, text: parts.count > 1 ? String(parts[1]) : "")
  }

  static func outbox(
    of worker: Onsite, _ storage: Memory, _ policy: DispatchPolicy = .serial("outbox"),
    _ work: @escaping @Sendable (isolated Onsite) async -> Void = { _ in }
  ) async throws -> Outbox<Item> {
    try await Outbox(
      of: worker, storage: storage, encode: encode, decode: decode,
      request: { Onsite.Request(id: $0.id, policy: policy, work: work) })
  }

  static func outbox(of post: Post, _ storage: Memory) async throws -> Outbox<Item> {
    try await Outbox(
      of: post, storage: storage, encode: encode, decode: decode, request: { $0 })
  }

  /// Returns the stored text of items whose encodings are `items`.
  static func text(_ items: String...) -> String {
    "AsyncKnot outbox 1\n" + items.map { "\($0.utf8.count)\n\($0)" }.joined()
  }

  /// An opticle that commits each item under one serial id; the test decides what the operation does.
  actor Post: Opticle {
    let knot = Knot<[Int]>([])
    let refused = Log<Int>()
    let take: @Sendable (Int) async throws -> Void
    init(take: @escaping @Sendable (Int) async throws -> Void) { self.take = take }

    nonisolated func policy(for item: Item) -> DispatchPolicy { .serial("outbox") }
    func expectation(for item: Item) -> Int? { item.id }
    func dispatch(_ item: Item) async {
      await commit(expectationFor: item) { [take] in try await take(item.id) }
    }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Item, error: any Error) {
      refused.append(request.id)
    }
  }
}

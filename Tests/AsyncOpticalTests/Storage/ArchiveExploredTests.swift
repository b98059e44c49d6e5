import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// Archives whose storage suspends in each call, explored.
@Suite struct ArchiveExploredTests {
  private struct NotANumber: Error {}

  /// Bytes in memory; each call suspends, and a write obeys cancellation.
  private final class Memory: StateStorage {
    let content: Mutex<(bytes: [UInt8]?, aside: [UInt8]?)>

    init(_ text: String? = nil) { content = Mutex((text.map { Array($0.utf8) }, nil)) }

    /// The saved bytes without their first line.
    var saved: String? {
      content.withLock { $0.bytes }.map {
        String(decoding: $0.split(separator: UInt8(ascii: "\n")).last ?? [], as: UTF8.self)
      }
    }

    func read() async throws -> [UInt8]? {
      await Task.yield()
      return content.withLock { $0.bytes }
    }

    func write(_ bytes: [UInt8]) async throws {
      await Task.yield()
      try Task.checkCancellation()
      content.withLock { $0.bytes = bytes }
    }

    func setAside() async throws -> String {
      await Task.yield()
      return content.withLock { content in
        content.aside = content.bytes.take()
        return "aside"
      }
    }
  }

  private static func archive(_ memory: Memory) -> StateArchive<Int> {
    StateArchive(
      storage: memory, encode: { Array("\($0)".utf8) },
      decode: { bytes in
        guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { throw NotANumber() }
        return number
      })
  }

  @Test("O9: a save that is cancelled takes no other save with it")
  func cancelledSave() async {
    await exploreContract(seeds: 4_000) {
      let memory = Memory()
      let archive = Self.archive(memory)
      let (order, saved) = (Log<Int>(), Log<Int>())
      let saves = (1...3).map { number in
        Task(executorPreference: Exploration.executor) {
          order.append(number)
          do {
            try await archive.save(number)
            saved.append(number)
          } catch is CancellationError where number == 3 {
          } catch {
            throw Violation(description: "save \(number) was not cancelled and failed: \(error)")
          }
        }
      }
      Task(executorPreference: Exploration.executor) {
        await Task.yield()
        saves[2].cancel()
      }
      for save in saves { try await save.value }
      let newest = order.all.last { saved.all.contains($0) }
      try hold(
        memory.saved == newest.map { "\($0)" }, "\(newest ?? 0) is lost: \(memory.saved ?? "-")")
    }
  }

  @Test("O9: a load that finds damaged bytes leaves a state where it is that was saved meanwhile")
  func savedWhileLoading() async {
    await exploreContract(seeds: 4_000) {
      let memory = Memory("rubbish")
      let archive = Self.archive(memory)
      async let outcome = archive.load()
      async let other = archive.load()
      try await archive.save(5)
      _ = try await (outcome, other)
      try hold(memory.saved == "5", "the saved state is gone: \(memory.content.withLock { $0 })")
    }
  }

  private actor Counter: Opticle {
    typealias Request = Never
    let knot = Knot(0)
    func dispatch(_ request: Never) async {}
    func mutate(_ state: inout Int, response: Int) { state = response }
    func recover(_ state: inout Int, request: Never, error: any Error) {}
  }

  @Test("O9: a state that is saved once the bag of follow has ended is not overwritten")
  func savedAfterFollowing() async {
    await exploreContract(seeds: 4_000) {
      let (memory, counter, saving) = (Memory(), Counter(), TaskBag())
      let archive = Self.archive(memory)
      archive.follow(counter, in: saving) { _ in }
      await counter.commit(1)
      await Task.yield()
      await counter.commit(2)
      await saving.cancelAndWait()
      await counter.commit(3)
      try await archive.save(counter.state)
      await untilIdle()
      try hold(memory.saved == "3", "the last state is gone: \(memory.saved ?? "-")")
    }
  }
}

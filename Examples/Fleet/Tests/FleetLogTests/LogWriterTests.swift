import AsyncDiff
import AsyncKnot
import AsyncKnotTesting
import FleetLog
import Foundation
import Synchronization
import Testing

/// A writer and a follower of a log that fails when a test decides, in virtual time.
@Suite struct LogWriterTests {
  /// A log in memory that can fail, and that records the appends.
  private final class TestLog: SnapshotLog {
    struct Full: Error {}
    let memory = MemoryLog()
    let appended = Mutex<[LogMessage]>([])
    /// The times of the attempts to append, since the log was created.
    let attempts = Mutex<[Duration]>([])
    private let start = ContinuousClock.now
    /// Decides the outcome of an append from the number of the attempt; `nil` appends the message.
    private let outcome: @Sendable (_ attempt: Int) throws -> AppendOutcome?

    init(outcome: @escaping @Sendable (_ attempt: Int) throws -> AppendOutcome? = { _ in nil }) {
      self.outcome = outcome
    }

    func claim(
      _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
    ) async throws -> ClaimOutcome {
      await memory.claim(name, as: epoch, inPlaceOf: old, lease: lease)
    }
    func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome {
      let attempt = attempts.withLock { attempts in
        attempts.append(.now - start)
        return attempts.count
      }
      if let outcome = try outcome(attempt) { return outcome }
      appended.withLock { $0.append(message) }
      return await memory.append(message, to: name)
    }
    func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool {
      await memory.renew(name, epoch, trouble: trouble)
    }
    func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws {
      await memory.complain(name, epoch, of: trouble)
    }
    func release(_ name: String, _ epoch: UInt64) async throws {
      await memory.release(name, epoch)
    }
    func heads() async throws -> [LogHead] { await memory.heads() }
    func messages(
      of name: String, since revision: SnapshotRevision?
    ) async throws -> [LogMessage] {
      await memory.messages(of: name, since: revision)
    }
    func bells() -> any AsyncSequence<Void, Never> & Sendable { memory.bells() }
  }

  private typealias Event = LogWriter<Rows>.Event

  /// Writes the lists of some steps, one every 100 ms, and returns the writer's events.
  private static func write(
    _ steps: [Int], to log: TestLog, lease: Duration = .seconds(1),
    list: @escaping @Sendable (Int) -> DiffableSnapshot<Rows> = { Rows.list(1, $0) }
  ) async throws -> [Event] {
    let events = Mutex<[Event]>([])
    let writer = LogWriter<Rows>(to: log, name: "A", lease: lease) { event in
      events.withLock { $0.append(event) }
    }
    let rest = Mutex(steps[...])
    try await writer.run {
      AsyncStream {
        try? await Task.sleep(for: .milliseconds(100))
        return rest.withLock { $0.popFirst() }.map(list)
      }
    }
    return events.withLock { $0 }
  }

  @Test("D25: the first message and every 32nd message after it are full snapshots")
  func stride() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog()
      _ = try await Self.write(Array(1...70), to: log)
      let full = log.appended.withLock { $0.filter(\.isFull).map(\.revision.number) }
      #expect(full == [1, 33, 65])
    }
  }

  @Test("a list whose patch is too long for a message is written as a full snapshot")
  func longPatch() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog()
      let events = try await Self.write([1, 2], to: log) { step in
        let text = String(repeating: step == 1 ? "a" : "b", count: 41_914)
        return DiffableSnapshot(sections: [
          Rows(content: step, items: (0..<100).map { Rows.Row(id: $0, text: text) })
        ])
      }
      #expect(events.count == 1, "\(events)")
      #expect(log.appended.withLock { $0.map(\.isFull) } == [true, true])
    }
  }

  @Test("a writer whose list does not change keeps its claim")
  func quiet() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog()
      async let written = Self.write(Array(repeating: 1, count: 50), to: log)
      try await Task.sleep(for: .seconds(4))
      #expect(try await log.heads().map(\.isAlive) == [true])
      #expect(try await written.count == 1)
      #expect(log.appended.withLock { $0.count } == 1)
    }
  }

  @Test("a waiting writer notices within its lease that a longer claim was released")
  func released() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog()
      _ = await log.memory.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(3_600))
      async let written = Self.write([1], to: log)
      try await Task.sleep(for: .seconds(5))
      try await log.release("A", 1)
      try await Task.sleep(for: .seconds(2))
      #expect(log.appended.withLock { $0.count } == 1)
      #expect(try await written.first == .waits)
    }
  }

  @Test(
    "D25: a writer whose log was set back replaces its epoch with a new one, without waiting")
  func elsewhere() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog { attempt in
        attempt == 2 ? .elsewhere(SnapshotRevision(epoch: 1, number: 7)) : nil
      }
      let events = try await Self.write([1, 2, 3], to: log, lease: .seconds(60))
      #expect(!events.contains(.waits), "\(events)")
      #expect(Set(log.appended.withLock { $0.map(\.revision.epoch) }).count == 2)
    }
  }

  @Test("a repeated failure is reported once, and after a success, the next pause is short again")
  func failures() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog { attempt in
        if (1...7).contains(attempt) || attempt == 9 { throw TestLog.Full() }
        return nil
      }
      let events = try await Self.write([1, 2, 3], to: log)
      #expect(events.count { $0 == .failed("Full()") } == 2, "\(events)")
      let times = log.attempts.withLock { $0 }
      #expect(times.count == 11)
      #expect(times[7] - times[6] == .seconds(2))
      #expect(times[9] - times[8] == .milliseconds(50))
    }
  }

  @Test("while a writer cannot append, the head of its log says why")
  func complaints() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog { attempt in if attempt < 9 { throw TestLog.Full() } else { nil } }
      async let written = Self.write([1], to: log)
      try await Task.sleep(for: .seconds(1))
      #expect(try await log.heads().map(\.complaint) == ["Full()"])
      _ = try await written
      #expect(try await log.heads().map(\.complaint) == [nil])
    }
  }

  @Test("a list that is too long is not appended, and the head of its log says why")
  func tooLong() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let log = TestLog()
      let events = try await Self.write([1], to: log) { _ in
        let text = String(repeating: "a", count: LogMessage.limit)
        return DiffableSnapshot(sections: [Rows(content: 1, items: [Rows.Row(id: 1, text: text)])])
      }
      #expect(events.contains { if case .tooLong = $0 { true } else { false } }, "\(events)")
      let complaint = try await log.heads().first?.complaint
      #expect(complaint?.hasPrefix("the list takes ") == true)
      #expect(log.appended.withLock { $0.isEmpty })
    }
  }

  @Test("after an unreadable message, a follower reports trouble until the next full snapshot")
  func unreadable() async throws {
    let source = TestLog()
    _ = try await Self.write([1, 2, 3], to: source)
    let good = source.appended.withLock { $0 }
    let (memory, epoch) = (MemoryLog(), good[0].revision.epoch)
    _ = await memory.claim("A", as: epoch, inPlaceOf: nil, lease: .seconds(60))
    let follower = LogFollower<Rows>("A", in: memory)
    func append(_ change: (inout LogMessage) -> Void, _ number: Int) async throws -> String? {
      var message = good[number]
      change(&message)
      #expect(await memory.append(message, to: "A") == .appended)
      try await follower.catchUp()
      return await follower.trouble?.reason
    }
    #expect(try await append({ _ in }, 0) == nil)
    #expect(
      try await append({ $0.format = 2 }, 1) == "its format is 2, but this program reads 1")
    #expect(follower.relay.snapshot == Rows.list(1, 1))
    #expect(try await append({ ($0.isFull, $0.body) = (true, Self.full(3, epoch)) }, 2) == nil)
    #expect(follower.relay.snapshot == Rows.list(1, 3))
  }

  @Test("a message whose content has another revision is not applied")
  func otherRevision() async throws {
    let memory = MemoryLog()
    _ = await memory.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(60))
    let message = LogMessage(
      SnapshotRevision(epoch: 1, number: 1), isFull: true, body: Self.full(5, 1))
    _ = await memory.append(message, to: "A")
    let follower = LogFollower<Rows>("A", in: memory)
    try await follower.catchUp()
    #expect(await follower.trouble?.reason.hasPrefix("its content has the revision") == true)
    #expect(follower.relay.revision == nil)
  }

  @Test(
    "a follower reports that the end of a log is missing only if the next reading does not find it either"
  )
  func missing() async throws {
    let memory = MemoryLog()
    _ = await memory.claim("A", as: 1, inPlaceOf: nil, lease: .seconds(60))
    let follower = LogFollower<Rows>("A", in: memory)
    let head = SnapshotRevision(epoch: 1, number: 3)
    try await follower.catchUp(to: head)
    #expect(await follower.trouble == nil)
    try await follower.catchUp(to: head)
    #expect(await follower.trouble?.reason == "it is missing from the log")
  }

  /// Returns the body of a full snapshot of the list at a step, whose revision has the step as its number.
  private static func full(_ step: Int, _ epoch: UInt64) -> LogMessage.Body {
    let message = SnapshotMessage<Rows>.snapshot(
      Rows.list(1, step), SnapshotRevision(epoch: epoch, number: UInt64(step)))
    let data = (try? JSONEncoder().encode(message)) ?? Data()
    return .text(String(decoding: data, as: UTF8.self))
  }
}

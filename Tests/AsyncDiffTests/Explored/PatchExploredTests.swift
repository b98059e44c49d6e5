/// The contract of followers over thousands of schedules.
@Suite struct PatchExploredTests {
  /// A list of five items, of which only the last differs, so that a patch is smaller than the snapshot.
  private static func snapshot(_ id: Int) -> Days { oneDay([1, 2, 3, 4, 100 + id]) }

  @Test(
    "D21: followers get consecutive patches and end with the shown snapshot")
  func follow() async {
    await exploreContract(seeds: 4_000) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      try await source.apply(Self.snapshot(0))
      try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { try await Self.followToEnd(source) }
        }
        group.addTask {
          // A change that is reverted must not leave a gap.
          for change in [1, 0, 3] { try await source.apply(Self.snapshot(change)) }
        }
      }
    }
  }

  @Test(
    "D21: a mirror on a lossy wire refuses wrong messages, asks again, and ends with the shown snapshot"
  )
  func lossy() async {
    await exploreContract(seeds: 4_000) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      try await source.apply(Self.snapshot(0))
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (wire, end) = AsyncStream.makeStream(of: SnapshotMessage<Day>.self)
        group.addTask { await LossyWire(end: end).carry(from: source, until: Self.snapshot(3)) }
        group.addTask {
          for change in 1...3 { try await source.apply(Self.snapshot(change)) }
        }
        var mirror = SnapshotMirror<Day>()
        var numbers: [UInt64] = []
        for await message in wire {
          do throws(MirrorError) {
            try mirror.apply(message)
          } catch {
            try await Self.ask(source, since: mirror.revision, &mirror)
          }
          numbers.append(mirror.revision?.number ?? 0)
        }
        while mirror.snapshot != Self.snapshot(3) {
          try await Self.ask(source, since: mirror.revision, &mirror)
        }
        try hold(numbers == numbers.sorted(), "an older number follows: \(numbers)")
        try await group.waitForAll()
      }
    }
  }

  @Test("D21: cancelling an observer does not cancel a patch that it shares with another observer")
  func cancellation() async {
    await exploreContract(seeds: 4_000) {
      let surface = StrictSurface<Day>()
      let source = DiffableDataSource(surface: surface)
      try await source.apply(Self.snapshot(0))
      var first = source.patches().makeAsyncIterator()
      let known = await first.next()?.revision
      let impatient = Task {
        for await _ in source.patches(since: known) {}
      }
      let patient = Task {
        var messages = source.patches(since: known).makeAsyncIterator()
        return await messages.next()
      }
      try await source.apply(Self.snapshot(1))
      impatient.cancel()
      let message = await patient.value
      try hold(message?.revision == known.map { $0.advanced(by: 1) }, "\(message as Any)")
      try hold(message?.isFull == false, "an unnecessary full snapshot")
      await impatient.value
    }
  }

  /// Requests one message and applies it to the mirror.
  private static func ask(
    _ source: DiffableDataSource<Day>, since revision: SnapshotRevision?,
    _ mirror: inout SnapshotMirror<Day>
  ) async throws {
    var messages = source.patches(since: revision).makeAsyncIterator()
    guard let message = await messages.next() else { return }
    try mirror.apply(message)
  }

  /// Follows the source until snapshot 3 is shown, and checks each message.
  private static func followToEnd(_ source: DiffableDataSource<Day>) async throws {
    var mirror = SnapshotMirror<Day>()
    var isFirst = true
    for await message in source.patches() {
      try hold(message.isFull == isFirst, "message \(message) at \(mirror.revision as Any)")
      isFirst = false
      try hold(try mirror.apply(message) != .repeated, "a message that changes nothing")
      if mirror.snapshot == snapshot(3) { return }
    }
    try hold(false, "ended early")
  }
}

extension SnapshotRevision {
  fileprivate func advanced(by count: UInt64) -> Self {
    SnapshotRevision(epoch: epoch, number: number + count)
  }
}

/// Loses every third message, repeats every fourth, and delays every fifth until after the next message.
private struct LossyWire {
  let end: AsyncStream<SnapshotMessage<Day>>.Continuation

  func carry(from source: DiffableDataSource<Day>, until last: Days) async {
    var sent = SnapshotMirror<Day>()
    var late: SnapshotMessage<Day>?
    var count = Exploration.seed.map { Int($0 % 60) } ?? 0
    for await message in source.patches() {
      count += 1
      if count % 5 == 0 {
        late = message
      } else if count % 3 != 0 {
        end.yield(message)
        if count % 4 == 0 { end.yield(message) }
        if let message = late.take() { end.yield(message) }
      }
      _ = try? sent.apply(message)
      if sent.snapshot == last { break }
    }
    end.finish()
  }
}

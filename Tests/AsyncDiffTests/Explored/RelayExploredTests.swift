/// The contract of relays over thousands of schedules.
@Suite struct RelayExploredTests {
  private static func snapshot(_ number: Int) -> Days { oneDay([1, 2, 3, 4, 100 + number]) }
  private static let last = snapshot(3)

  @Test(
    "D24: a follower of two relays on a lossy wire never goes back to an older snapshot and ends with the last snapshot"
  )
  func change() async {
    await exploreContract(seeds: 4_000) {
      let surface = StrictSurface<Day>()
      let origin = DiffableDataSource(surface: surface)
      let relays = [SnapshotRelay<Day>(), SnapshotRelay<Day>()]
      try await origin.apply(Self.snapshot(0))
      try await withThrowingDiscardingTaskGroup { group in
        for (number, relay) in relays.enumerated() {
          group.addTask {
            try await Self.feed(relay, luck: number, origin.snapshot) {
              origin.patches(since: $0)
            }
          }
        }
        group.addTask { try await Self.follow(relays) }
        group.addTask {
          for change in 1...3 { try await origin.apply(Self.snapshot(change)) }
        }
      }
      for relay in relays { try hold(relay.snapshot == Self.last, "\(relay.snapshot)") }
    }
  }

  @Test(
    "D24: after the origin restarts, its relays and their followers end with the new snapshot"
  )
  func newEpoch() async {
    await exploreContract(seeds: 4_000) {
      let relay = SnapshotRelay<Day>()
      let old = SnapshotRelay(SnapshotMirror(Self.snapshot(0), at: .init(epoch: 1, number: 1)))
      let new = SnapshotRelay(SnapshotMirror(Self.last, at: .init(epoch: 2, number: 1)))
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await Self.follow([relay]) }
        group.addTask {
          var first = old.patches().makeAsyncIterator()
          guard let message = await first.next() else { return }
          try await relay.apply(message)
          if let patch = old.state.patch(to: Self.snapshot(1)) {
            try await old.apply(.patch(patch))
          }
          let late = await first.next()
          try await Self.feed(relay, luck: 0, new.snapshot) { new.patches(since: $0) }
          // This message was still in flight when the old origin ended.
          if let late { _ = try? await relay.apply(late) }
        }
      }
      try hold(relay.revision?.epoch == 2, "\(relay.revision as Any)")
    }
  }

  /// Sends an origin's messages to a relay, but loses every third message and repeats every fourth.
  private static func feed(
    _ relay: SnapshotRelay<Day>, luck: Int, _ shown: @autoclosure () -> Days,
    _ messages: (SnapshotRevision?) -> SnapshotPatches<Day>
  ) async throws {
    var count = luck + (Exploration.seed.map { Int($0 % 12) } ?? 0)
    while relay.snapshot != last {
      for await message in messages(relay.revision) {
        count += 1
        if count % 3 == 0 {
          // If the last message is lost, only another request detects the loss.
          if shown() == last { break }
          continue
        }
        guard let outcome = try? await relay.apply(message) else { break }
        try hold(outcome != .repeated, "a repeat: \(message)")
        if count % 4 == 0 {
          try hold(try await relay.apply(message) == .repeated, "a repeat was accepted")
        }
        if count % 5 == 0 || relay.snapshot == last { break }
      }
    }
  }

  /// Follows the relays in turn until the last snapshot is shown.
  private static func follow(_ relays: [SnapshotRelay<Day>]) async throws {
    var mirror = SnapshotMirror<Day>()
    var turn = 0
    while mirror.snapshot != last {
      turn += 1
      var messages = relays[turn % relays.count].patches(since: mirror.revision)
        .makeAsyncIterator()
      for _ in 0...turn % 2 where mirror.snapshot != last {
        guard let message = await messages.next() else { return }
        let before = mirror.revision
        try hold(try mirror.apply(message) != .repeated, "repeat: \(message) at \(before as Any)")
        try hold(
          (0...3).contains { mirror.snapshot == snapshot($0) }, "never shown: \(mirror.snapshot)")
        if let before, let after = mirror.revision, before.epoch == after.epoch {
          try hold(before.number < after.number, "\(after) follows \(before)")
        }
      }
    }
  }
}

/// Concurrent followers on real threads.
@Suite struct PatchStressTests {
  private static func snapshot(_ random: inout SeededGenerator) -> Days {
    random.snapshot(alphabet: 30)
  }

  @Test(
    "D21: 60 slow and reconnecting followers on real threads see no gap and end with the shown snapshot"
  )
  func manyFollowers() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    let last = oneDay([4_711])
    let full = await withTaskGroup(of: Int?.self) { group in
      for follower in 0..<60 {
        group.addTask { await Self.follow(source, until: last, follower) }
      }
      await withDiscardingTaskGroup { writers in
        for writer in 0..<4 {
          writers.addTask {
            var random = SeededGenerator(seed: UInt64(writer))
            for _ in 0..<(isSanitized ? 50 : 500) {
              _ = try? await source.apply(Self.snapshot(&random))
            }
          }
        }
      }
      _ = try? await source.apply(last)
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(full.count == 60)
    // The history keeps all sent snapshots, so each follower needs only its first full snapshot.
    #expect(full.allSatisfy { $0 == 1 }, "\(full)")
  }

  /// Follows a source until the mirror has the snapshot `last`.
  ///
  /// - Returns: The number of full snapshots, or `nil` if a message did not fit.
  private static func follow(
    _ source: DiffableDataSource<Day>, until last: Days, _ number: Int
  ) async -> Int? {
    var mirror = SnapshotMirror<Day>()
    var full = 0
    while mirror.snapshot != last {
      var turns = 0
      let messages = source.patches(since: mirror.revision, full: .whereNeeded, history: 10_000)
      for await message in messages {
        guard (try? mirror.apply(message)) != nil else { return nil }
        if message.isFull { full += 1 }
        turns += 1
        for _ in 0..<number % 5 { await Task.yield() }
        // Every third follower reconnects after a few messages.
        if mirror.snapshot == last || number % 3 == 0 && turns > number % 7 { break }
      }
    }
    return full
  }
}

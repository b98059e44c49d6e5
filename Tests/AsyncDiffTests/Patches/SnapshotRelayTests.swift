/// A relay receives messages and sends its own.
@Suite struct SnapshotRelayTests {
  private static func revision(_ number: UInt64, epoch: UInt64 = 7) -> SnapshotRevision {
    SnapshotRevision(epoch: epoch, number: number)
  }

  /// The snapshot with a given number, which has `number + 10` rows.
  private static func snapshot(_ number: UInt64) -> Days { oneDay(Array(1...10 + Int(number))) }

  /// A relay that has shown the snapshots with `numbers`, in order.
  private static func relay(of numbers: [UInt64], history: Int = 32) async throws
    -> SnapshotRelay<Day>
  {
    let relay = SnapshotRelay<Day>(history: history)
    try await show(numbers, on: relay)
    return relay
  }

  private static func show(_ numbers: [UInt64], on relay: SnapshotRelay<Day>) async throws {
    for number in numbers { try await relay.apply(message(from: relay.revision, to: number)) }
  }

  private static func message(
    from has: SnapshotRevision?, to number: UInt64
  ) -> SnapshotMessage<Day> {
    guard let has, has.number < number else {
      return .snapshot(snapshot(number), revision(number), since: has)
    }
    let stages = snapshot(has.number).batches(to: snapshot(number)).map { SnapshotPatch.Stage($0) }
    return .patch(SnapshotPatch(from: has, to: number, stages: stages))
  }

  private static func first(
    of relay: SnapshotRelay<Day>, since revision: SnapshotRevision?
  ) async throws -> SnapshotMessage<Day> {
    var messages = relay.patches(since: revision).makeAsyncIterator()
    return try #require(await messages.next())
  }

  @Test("D24: a relay sends snapshots and patches with the revisions of its origin")
  func revisions() async throws {
    let relay = try await Self.relay(of: [3])
    var messages = relay.patches().makeAsyncIterator()
    #expect(await messages.next() == .snapshot(Self.snapshot(3), Self.revision(3)))
    try await Self.show([4, 9], on: relay)
    #expect(await messages.next() == Self.message(from: Self.revision(3), to: 9))
    #expect(relay.snapshot == Self.snapshot(9) && relay.revision == Self.revision(9))
  }

  @Test(
    "D24: a follower that is ahead of a relay gets the new list, even if the relay has skipped the follower's list"
  )
  func skipped() async {
    await explore(seeds: 200) {
      let (surface, relay) = (StrictSurface<Day> { _ in }, SnapshotRelay<Day>())
      let origin = DiffableDataSource(surface: surface)
      try await origin.apply(Self.snapshot(0))
      var (toRelay, direct) = (
        origin.patches().makeAsyncIterator(), origin.patches().makeAsyncIterator()
      )
      if let first = await toRelay.next() { try await relay.apply(first) }
      try await origin.apply(Self.snapshot(1))
      var mirror = SnapshotMirror<Day>()
      if let ahead = await direct.next() { try mirror.apply(ahead) }
      try await origin.apply(Self.snapshot(0))
      let feeder = Task { [revision = relay.revision] in
        for await message in origin.patches(since: revision) { try await relay.apply(message) }
      }
      for await message in relay.patches(since: mirror.revision) {
        try mirror.apply(message)
        break
      }
      #expect(mirror.snapshot == Self.snapshot(0))
      feeder.cancel()
    }
  }

  @Test(
    "D24: a follower that switches to another relay or to the origin continues with one patch"
  )
  func change() async throws {
    let surface = StrictSurface<Day> { _ in }
    let origin = DiffableDataSource(surface: surface)
    try await origin.apply(Self.snapshot(0))
    let relays = [SnapshotRelay<Day>(), SnapshotRelay<Day>()]
    func show(_ number: UInt64) async throws {
      try await origin.apply(Self.snapshot(number))
      for relay in relays {
        var messages = origin.patches(since: relay.revision).makeAsyncIterator()
        try await relay.apply(try #require(await messages.next()))
      }
    }
    for number in UInt64(0)...3 { try await show(number) }
    var mirror = SnapshotMirror<Day>()
    try mirror.apply(await Self.first(of: relays[0], since: nil))
    #expect(mirror.snapshot == Self.snapshot(3))
    // Both relays receive another patch, but the follower does not.
    try await show(4)
    var ofOrigin = origin.patches(since: mirror.revision).makeAsyncIterator()
    #expect(await ofOrigin.next()?.isFull == false)
    let message = try await Self.first(of: relays[1], since: mirror.revision)
    #expect(!message.isFull)
    try mirror.apply(message)
    #expect(mirror.snapshot == Self.snapshot(4) && mirror.revision == relays[0].revision)
  }

  @Test("D24: a follower that is ahead of a relay waits for the relay")
  func ahead() async throws {
    let relay = try await Self.relay(of: [3])
    let next = Task { try await Self.first(of: relay, since: Self.revision(5)) }
    await yieldToOthers()
    try await Self.show([4, 5], on: relay)
    await yieldToOthers()
    try await Self.show([6], on: relay)
    #expect(try await next.value == Self.message(from: Self.revision(5), to: 6))
  }

  @Test(
    "D24: a follower that was ahead of a relay resumes with one patch when the relay is ahead of the follower"
  )
  func passed() async throws {
    let relay = try await Self.relay(of: [3])
    var messages = relay.patches(since: Self.revision(5)).makeAsyncIterator()
    try await Self.show([5, 7], on: relay)
    #expect(await messages.next() == Self.message(from: Self.revision(5), to: 7))
  }

  @Test(
    "D24: a relay sends a full snapshot if its history does not contain the follower's revision")
  func never() async throws {
    let relay = try await Self.relay(of: [3, 6])
    #expect(
      try await Self.first(of: relay, since: Self.revision(4))
        == .snapshot(Self.snapshot(6), Self.revision(6), since: Self.revision(4)))
    let forgetful = try await Self.relay(of: [1, 2, 3, 4], history: 2)
    #expect(try await Self.first(of: forgetful, since: Self.revision(2)).isFull)
    #expect(try await !Self.first(of: forgetful, since: Self.revision(3)).isFull)
  }

  @Test(
    "D24: a new epoch of the origin starts a new epoch of the relay and clears the relay's history")
  func newEpoch() async throws {
    let relay = try await Self.relay(of: [3])
    var messages = relay.patches().makeAsyncIterator()
    _ = await messages.next()
    let anew = Self.revision(1, epoch: 8)
    try await relay.apply(.snapshot(oneDay([1]), anew, since: Self.revision(3)))
    let expected = SnapshotMessage.snapshot(oneDay([1]), anew, since: Self.revision(3))
    #expect(await messages.next() == expected)
    #expect(try await Self.first(of: relay, since: Self.revision(3)) == expected)
    await #expect(throws: MirrorError.otherEpoch(has: anew, came: Self.revision(4))) {
      try await relay.apply(Self.message(from: Self.revision(3), to: 4))
    }
    #expect(relay.snapshot == oneDay([1]))
  }

  @Test("D24: after a new epoch with lower numbers, a follower resumes with one patch")
  func newEpochIsKept() async throws {
    let relay = try await Self.relay(of: [8, 9], history: 2)
    let anew = Self.revision(1, epoch: 8)
    try await relay.apply(.snapshot(oneDay([1, 2]), anew, since: Self.revision(9)))
    let patch = try #require(
      SnapshotMirror(oneDay([1, 2]), at: anew).patch(to: oneDay([1, 2, 3])))
    try await relay.apply(.patch(patch))
    #expect(try await Self.first(of: relay, since: anew) == .patch(patch))
  }

  @Test("D24: followers keep their snapshot while the relay has no revision")
  func misfit() async throws {
    let relay = try await Self.relay(of: [3])
    var messages = relay.patches().makeAsyncIterator()
    _ = await messages.next()
    var stage = SnapshotPatch<Day>.Stage()
    stage.sectionDeletes = [9]
    await #expect(throws: MirrorError.self) {
      try await relay.apply(
        .patch(SnapshotPatch(from: Self.revision(3), to: 4, stages: [stage])))
    }
    #expect(relay.revision == nil && relay.snapshot == Self.snapshot(3))
    try await relay.apply(.snapshot(Self.snapshot(5), Self.revision(5)))
    let message = try #require(await messages.next())
    #expect(message.revision == Self.revision(5))
  }

  @Test("D24: a relay never shows an older revision within an epoch, even after a damaged patch")
  func neverBack() async throws {
    let relay = try await Self.relay(of: [3, 10])
    var messages = relay.patches().makeAsyncIterator()
    _ = await messages.next()
    var stage = SnapshotPatch<Day>.Stage()
    stage.itemDeletes = [at(0, 99)]
    await #expect(throws: MirrorError.self) {
      try await relay.apply(
        .patch(SnapshotPatch(from: Self.revision(10), to: 11, stages: [stage])))
    }
    #expect(relay.revision == nil, "the relay requests a full snapshot")
    for since in [nil, Self.revision(3), Self.revision(10)] {
      let late = SnapshotMessage.snapshot(Self.snapshot(5), Self.revision(5), since: since)
      #expect(try await relay.apply(late) == .repeated)
    }
    let left = Self.revision(40, epoch: 6)
    await #expect(throws: MirrorError.otherEpoch(has: Self.revision(10), came: left)) {
      try await relay.apply(.snapshot(Self.snapshot(5), left, since: Self.revision(3, epoch: 6)))
    }
    #expect(relay.revision == nil && relay.snapshot == Self.snapshot(10))
    // The source may still show a snapshot that the relay had before.
    try await relay.apply(.snapshot(Self.snapshot(10), Self.revision(10)))
    #expect(relay.revision == Self.revision(10))
    try await relay.apply(Self.message(from: Self.revision(10), to: 11))
    #expect(await messages.next() == Self.message(from: Self.revision(10), to: 11))
  }

  @Test(
    "D24: followers of a relay continue with one patch after the relay restarts from its store")
  func stored() async throws {
    var mirror = SnapshotMirror<Day>()
    let before = SnapshotRelay(SnapshotMirror(Self.snapshot(0), at: Self.revision(41)))
    try mirror.apply(await Self.first(of: before, since: nil))
    #expect(mirror.revision == Self.revision(41))
    let patch = try #require(before.state.patch(to: Self.snapshot(1)))
    try await before.apply(.patch(patch))
    // The program restarts with the contents of its store: a snapshot and the patches that follow it.
    let after = SnapshotRelay(SnapshotMirror(Self.snapshot(0), at: Self.revision(41)))
    try await after.apply(.patch(patch))
    let message = try await Self.first(of: after, since: mirror.revision)
    #expect(message == .patch(patch))
  }

  @Test("D24: a relay's sequence delivers the last state and ends with the relay")
  func end() async throws {
    var relay: SnapshotRelay<Day>? = try await Self.relay(of: [3])
    var messages = try #require(relay?.patches()).makeAsyncIterator()
    relay = nil
    #expect(await messages.next()?.isFull == true)
    #expect(await messages.next() == nil)
  }

  @Test(
    "D24: a full snapshot that answers the relay's request reaches its followers, at any revision")
  func anyRevision() async throws {
    let damaged = Self.revision(2_000_000)
    for number: UInt64 in [3, damaged.number] {
      var relay = Optional(SnapshotRelay(SnapshotMirror(oneDay([1]), at: damaged)))
      let messages = try #require(relay?.patches(since: damaged))
      let next = Task { await messages.first { _ in true } }
      await yieldToOthers()  // The follower is in step with the relay.
      let answer = SnapshotMessage.snapshot(oneDay([3]), Self.revision(number), since: damaged)
      #expect(try await relay?.apply(answer) == .replaced)
      #expect(relay?.snapshot == oneDay([3]))
      await yieldToOthers()
      relay = nil  // Ends the messages, so that the test does not wait forever.
      #expect(await next.value == answer)
    }
  }
}

@Suite struct ApplyCancellationTests {
  let gate = Gate()
  let nodes = Gate()

  private func slow(_ ids: [Int]) -> DiffableSnapshot<SlowDay> { slowDay(ids, behind: nodes) }

  @Test(
    "D9: if a waiting apply is cancelled, it throws immediately, and its snapshot is never shown")
  func whileWaiting() async throws {
    let (surface, source) = strictSource { [gate] _ in await gate.wait() }
    async let first = source.apply(oneDay([1]))
    await gate.hasArrived(1)
    let task = Task { try await source.apply(oneDay([2])) }
    await source.hasWaiting(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    #expect(try await first == .reloaded)
    #expect(await surface.calls.count == 1)
    #expect(source.snapshot == oneDay([1]))
  }

  @Test("D9: a snapshot that is cancelled while its cells are built changes nothing")
  func whilePreparing() async throws {
    let (surface, source) = strictSource(of: SlowDay.self)
    try await source.apply(slow([]))
    let task = Task { try await source.apply(slow([1, 2, 3, 4, 5])) }
    await nodes.hasArrived(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await surface.calls.count == 1)
    #expect(source.snapshot == slow([]))
    nodes.open()
    #expect(try await source.apply(slow([9])) == .updated(1))
    #expect(await surface.rows?.matches(slow([9])) == true)
  }

  @Test("D9: a snapshot that has reached the surface is shown even if it is then cancelled")
  func whileShowing() async throws {
    let surface = StrictSurface<Day> { [gate] call in
      guard case .batch = call else { return }
      await gate.wait()
      #expect(!Task.isCancelled)
    }
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1]))
    let task = Task { try await source.apply(oneDay([2])) }
    await gate.hasArrived(1)
    task.cancel()
    gate.open()
    #expect(try await task.value == .updated(2))
    #expect(source.snapshot == oneDay([2]))
  }

  @Test("D10: applying a newer snapshot stops the building of an older snapshot's cells")
  func abandoned() async throws {
    let surface = StrictSurface<SlowDay>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(slow([]))
    let older = Task { try await source.apply(slow(Array(1...50))) }
    await nodes.hasArrived(2)
    await source.hasBegunToPrepare()
    let newer = Task { try await source.apply(slow([51])) }
    await nodes.hasArrived(3)
    nodes.open()
    #expect(try await newer.value == .updated(1))
    #expect(try await older.value == .superseded)
    #expect(nodes.arrived == 3, "only two of the 50 older nodes were started")
  }
}

struct SlowArticle: Nodable {
  let id: Int
  let gate: Gate

  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    {
      await gate.wait()
      return TitleNode(title: "\(id)", path: path)
    }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
}

typealias SlowDay = Items<SlowArticle>

/// A snapshot whose articles wait for a gate before they build their nodes.
func slowDay(_ ids: [Int], behind gate: Gate) -> DiffableSnapshot<SlowDay> {
  oneSection(of: ids.map { SlowArticle(id: $0, gate: gate) })
}

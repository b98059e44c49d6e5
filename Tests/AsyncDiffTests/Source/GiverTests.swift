import AsyncDiff
@testable import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// What the task that shows a snapshot has of whoever gave the snapshot, and of others.
@Suite struct GiverTests {
  private enum Name { @TaskLocal static var current = "none" }

  /// A row that notes for whom its node was built.
  private struct Row: Nodable {
    let diffIdentifier: Int
    let seen: Log<String>

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.diffIdentifier == rhs.diffIdentifier }

    func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
      {
        seen.append("row \(diffIdentifier) for \(Name.current)")
        return TitleNode(title: "", path: path)
      }
    }
  }

  private struct Rows: SectionInflator {
    let items: [Row]
    var diffIdentifier: Int { 0 }
  }

  private static func snapshot(_ ids: [Int], _ seen: Log<String>) -> DiffableSnapshot<Rows> {
    DiffableSnapshot(sections: [Rows(items: ids.map { Row(diffIdentifier: $0, seen: seen) })])
  }

  @Test("F3: a snapshot that waited is shown with no task-local value of the one before it")
  func waited() async throws {
    let (gate, seen) = (Gate(), Log<String>())
    let surface = StrictSurface<Rows> { _ in
      seen.append("surface for \(Name.current)")
      await gate.pass()
    }
    let source = DiffableDataSource(surface: surface)
    Name.$current.withValue("Ann") { source.submit(Self.snapshot([1], seen)) }
    await gate.hasArrived(1)
    Name.$current.withValue("Bob") { source.submit(Self.snapshot([1, 2], seen)) }
    gate.open()
    for await shown in source.snapshots where shown.numberOfItems == 2 { break }
    #expect(seen.all == ["surface for Ann", "row 2 for none", "surface for none"])
  }

  @Test("F3: the task that shows a snapshot belongs to no dispatch", arguments: [false, true])
  func dispatch(isMain: Bool) async throws {
    let seen = Log<Bool>()
    let surface = StrictSurface<Rows> { _ in seen.append(Dispatch.current == nil) }
    let source = DiffableDataSource(surface: surface)
    let snapshot = Self.snapshot([1], Log())
    let runner = Runner(for: ObjectIdentifier(surface), at: .medium)
    try await Dispatch.local.withValue(Dispatch(runner: runner)) {
      if isMain {
        _ = try await Task { @MainActor in try await source.apply(snapshot) }.value
      } else {
        try await source.apply(snapshot)
      }
    }
    #expect(seen.all == [true])
  }
}

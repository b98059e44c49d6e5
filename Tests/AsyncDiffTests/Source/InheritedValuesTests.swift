@testable import AsyncKnot

/// The task that shows a snapshot inherits task-local values from the snapshot's own caller or from no caller.
@Suite struct InheritedValuesTests {
  private enum Name { @TaskLocal static var current = "none" }

  /// A row that records the task-local value under which its cell is built.
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

  private static func snapshot(_ ids: [Int], _ seen: Log<String>) -> DiffableSnapshot<Items<Row>> {
    oneSection(of: ids.map { Row(diffIdentifier: $0, seen: seen) })
  }

  @Test("F3: a snapshot that waited does not get the previous snapshot's task-local values")
  func waited() async throws {
    let (gate, seen) = (Gate(), Log<String>())
    let surface = StrictSurface<Items<Row>> { _ in
      seen.append("surface for \(Name.current)")
      await gate.wait()
    }
    let source = DiffableDataSource(surface: surface)
    Name.$current.withValue("Ann") { source.submit(Self.snapshot([1], seen)) }
    await gate.hasArrived(1)
    Name.$current.withValue("Bob") { source.submit(Self.snapshot([1, 2], seen)) }
    gate.open()
    for await shown in source.snapshots where shown.numberOfItems == 2 { break }
    #expect(seen.all == ["surface for Ann", "row 2 for none", "surface for none"])
  }

  @Test(
    "F3: the task that shows a snapshot does not inherit the current message",
    arguments: [false, true])
  func dispatch(isMain: Bool) async throws {
    let seen = Log<Bool>()
    let surface = StrictSurface<Items<Row>> { _ in seen.append(CurrentMessage.local.get() == nil) }
    let source = DiffableDataSource(surface: surface)
    let snapshot = Self.snapshot([1], Log())
    try await CurrentMessage.local.withValue(Farewell {}) {
      if isMain {
        _ = try await Task { @MainActor in try await source.apply(snapshot) }.value
      } else {
        try await source.apply(snapshot)
      }
    }
    #expect(seen.all == [true])
  }

  @Test("F3: a cell is built with the task-local values of its snapshot's caller or with none")
  func explored() async {
    await exploreContract(seeds: 2_000) {
      let (seen, moves) = (Log<String>(), Log<Bool>())
      // The test moves a row only in the data source. The surface would record that difference as an issue.
      let surface = StrictSurface<Items<Row>>(recordsIssues: false) { _ in await Task.yield() }
      let source = DiffableDataSource(surface: surface)
      _ = try await source.apply(Self.snapshot([8, 9], seen))
      await withDiscardingTaskGroup { group in
        for id in 1...3 {
          group.addTask {
            let task = Name.$current.withValue("\(id)") {
              Task { try? await source.apply(Self.snapshot([8, id, 9], seen)) }
            }
            if id == 3 { task.cancel() }
            _ = await task.value
          }
        }
        group.addTask {
          Name.$current.withValue("mover") {
            moves.append(source.reorder(from: at(0, 0), to: at(0, 1)) != nil)
          }
        }
      }
      let allowed = (1...3).flatMap { ["row \($0) for \($0)", "row \($0) for none"] }
      try hold(Set(seen.all).isSubset(of: allowed), "\(seen.all)")
      sometimes("a row was moved", moves.all == [true])
      sometimes("a snapshot had to wait", seen.all.contains { $0.hasSuffix("none") })
    }
  }
}

import AsyncDiff
import AsyncDiffTesting
import AsyncDiffUIKit
import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// A view and the list that it shows.
@MainActor private func makeList() -> (StrictView, ListSurface<Record>) {
  let view = StrictView()
  let list = ListSurface<Record>(view) { DiffableDataSource(surface: $0) }
  view.list = list
  return (view, list)
}

extension SeededGenerator {
  /// Up to four albums, and up to twelve songs spread over them.
  mutating func albums() -> Albums {
    let names = ["a", "b", "c", "d"].filter { _ in bool(probability: 0.7) }.shuffled(using: &self)
    var albums = names.map { Record(name: $0, header: bool() ? "" : "new", items: []) }
    for id in (1...12).filter({ _ in bool() }).shuffled(using: &self) where !albums.isEmpty {
      albums[integer(in: 0...(albums.count - 1))].items.append(
        Song(id: id, title: bool() ? "" : "new"))
    }
    return Albums(sections: albums)
  }
}

@Suite @MainActor struct ListSurfaceTests {
  @Test("D28: a view always has the rows that its list reports", arguments: 0..<4)
  func viewHasWhatItsListAnswers(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let (view, list) = makeList()
    for _ in 0..<300 {
      let albums = random.albums()
      view.isInWindow = random.bool(probability: 0.95)
      if random.bool(probability: 0.8) { view.layout() }
      try await list.source.apply(albums, animatingDifferences: random.bool())
      let isSame = view.matches(albums)
      #expect(isSame)
    }
    #expect(view.batches > 300)
  }

  @Test("D28: a view that is not in a window is reloaded without waiting")
  func viewInNoWindowIsReloaded() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2]]))
    view.layout()
    (view.isInWindow, view.holds) = (false, true)
    try await list.source.apply(Albums(["a": [2, 3]]))
    #expect(view.reloads == 2 && view.batches == 0)
    #expect(view.matches(Albums(["a": [2, 3]])))
  }

  @Test(
    "D28: after a reload, a selected item stays selected only in its section, even if another section shows it too"
  )
  func selectionOfRepeatedItem() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["favorites": [1, 2], "all": [1, 2, 3]]))
    let selected = [ItemPath(section: 1, item: 1), ItemPath(section: 0, item: 1)]
    view.select(selected)
    view.isInWindow = false
    try await list.source.apply(Albums(["favorites": [2, 1], "all": [3, 2]]))
    #expect(view.selection == [ItemPath(section: 1, item: 1), ItemPath(section: 0, item: 0)])
  }

  @Test("D28: a changed or moved row keeps its cell, and a changed header is updated")
  func rowKeepsItsCell() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2, 3]]))
    view.layout()
    let cell = view.cells[0][0]
    let songs = [Song(id: 2), Song(id: 3), Song(id: 1, title: "new")]
    let changed = Albums(sections: [Record(name: "a", header: "new", items: songs)])
    try await list.source.apply(changed)
    #expect(view.cells[0][2] === cell)
    #expect(view.matches(changed))
    #expect(view.reloads == 1)
  }

  @Test("D28: a row keeps its cell as long as the kind of its cell stays the same")
  func cellsOfTwoKinds() async throws {
    final class Kind {}
    let (plain, wide, view) = (Kind(), Kind(), StrictView())
    let list = ListSurface<Record>(view) {
      $0.title == "" ? plain : wide
    } makeSource: {
      DiffableDataSource(surface: $0)
    }
    view.list = list
    try await list.source.apply(Albums(["a": [1, 2, 3]]))
    view.layout()
    let cells = view.cells[0]
    let songs = [Song(id: 3, title: "a"), Song(id: 1), Song(id: 2)]
    for title in ["", "new"] {
      let changed = Albums(sections: [Record(name: "a", header: title, items: songs)])
      try await list.source.apply(changed)
      #expect(view.matches(changed))
      #expect(view.cells[0][0] !== cells[2])
      #expect(view.cells[0][1] === cells[0] && view.cells[0][2] === cells[1])
    }
    #expect(view.reloads == 1)
  }

  @Test("D28: a selected row stays selected if it gets a new cell, and no other row is selected")
  func selectionOfReplacedRows() async throws {
    final class Kind {}
    let (plain, titled) = (Kind(), Kind())
    let view = StrictView()
    let list = ListSurface<Record>(view) {
      $0.title.isEmpty ? plain : titled
    } makeSource: {
      DiffableDataSource(surface: $0)
    }
    view.list = list
    try await list.source.apply(Albums(["a": [1, 2, 3]]))
    view.layout()
    let selected = [0, 2].map { ItemPath(section: 0, item: $0) }
    view.select(selected)
    let songs = [Song(id: 1, title: "new"), Song(id: 2, title: "new"), Song(id: 3)]
    try await list.source.apply(Albums(sections: [Record(name: "a", items: songs)]))
    #expect(Set(view.selection) == Set(selected))
  }

  @Test("D29: an animated change counts as shown when its animation ends")
  func animatedChangeWaits() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1]]))
    // Other tests may occupy the main actor for a long time.
    list.animationLimit = .seconds(3_600)
    view.holds = true
    let change = Task { try await list.source.apply(Albums(["a": [1, 2]])) }
    while view.ends.isEmpty { await Task.yield() }
    #expect(list.source.snapshot.ids == [[1]])
    #expect(view.animated == 1)
    view.end()
    #expect(try await change.value == .updated(1))
    #expect(list.source.snapshot.ids == [[1, 2]])
  }

  @Test("D29: a change without animation does not wait for the view's completion")
  func changeWithoutAnimationDoesNotWait() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1]]))
    view.holds = true
    try await list.source.apply(Albums(["a": [1, 2]]), animatingDifferences: false)
    #expect(view.animated == 0 && view.batches == 1)
    #expect(view.matches(Albums(["a": [1, 2]])))
  }

  @Test("D29: if an animation never ends, apply throws, and later snapshots are shown")
  func animationNeverEnds() async {
    await explore(Exploration(seeds: 100)) { try await withoutAnEnd() }
  }

  private func withoutAnEnd() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1]]))
    view.layout()
    view.holds = true
    var failures = list.source.failures.makeAsyncIterator()
    do {
      try await list.source.apply(Albums(["a": [1, 2]]))
      throw Violation(description: "the animation has not ended")
    } catch {
      try hold("\(error)".contains("10.0 seconds"), "says \(error)")
    }
    try hold(await failures.next() != nil, "the failure is not reported")
    view.holds = false
    let later = Albums(["a": [1, 2, 3]])
    try hold(try await list.source.apply(later) == .reloaded, "the view is not reloaded")
    // The animation ends later, when nothing waits for it any longer.
    view.end()
    try hold(view.matches(later), "the view shows \(view.songs)")
  }

  @Test("D30: a drag is reported, and the list does not move the row again")
  func draggedRowIsReported() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2, 3], "b": [4]]))
    view.layout()
    var reorders = list.source.reorders.makeAsyncIterator()
    view.drag(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 1))
    let moved = Albums(["a": [2, 3], "b": [4, 1]])
    #expect(await reorders.next()?.item.id == 1)
    #expect(view.matches(moved))
    #expect(try await list.source.apply(moved) == .unchanged)
    #expect(view.batches == 0 && view.reloads == 1)
  }

  @Test("D30: no row can be dragged unless the list allows it")
  func rowsThatCanBeDragged() async throws {
    let (_, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2]]))
    let paths = (0..<3).map { ItemPath(section: 0, item: $0) }
    #expect(paths.map(list.canMove(at:)) == [false, false, false])
    list.canMove = { $0.id == 2 }
    #expect(paths.map(list.canMove(at:)) == [false, true, false])
  }

  /// Begins a change of a list, and returns when the view animates it.
  private func heldChange(
    of view: StrictView, _ list: ListSurface<Record>
  ) async throws -> (changed: Albums, change: Task<ApplyOutcome, any Error>) {
    try await list.source.apply(Albums(["a": [1, 2], "b": [3]]))
    view.layout()
    // Other tests may occupy the main actor for a long time.
    list.animationLimit = .seconds(3_600)
    view.holds = true
    let changed = Albums(["a": [1, 2], "b": [3, 4]])
    let change = Task { try await list.source.apply(changed) }
    while view.ends.isEmpty { await Task.yield() }
    return (changed, change)
  }

  @Test("D30: a drag that ends during a change is undone by a reload")
  func dragDuringAChangeIsUndone() async throws {
    let (view, list) = makeList()
    let (changed, change) = try await heldChange(of: view, list)
    view.drag(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 2))
    view.drag(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 0))
    // Until the reload, the list keeps the rows of the view, because the view may ask for any of them.
    #expect(list.shown.ids == [[], [2, 3, 4, 1]])
    #expect(view.songs == list.shown.sections.map(\.items))
    while view.reloads == 1 { await Task.yield() }
    view.end()
    _ = try await change.value
    #expect(view.matches(changed))
    view.holds = false
    let later = Albums(["a": [1], "b": [3, 4]])
    try await list.source.apply(later)
    #expect(view.matches(later))
    #expect(view.reloads == 2 && view.batches == 2)
  }

  @Test("D30: a drag that ends during a change is not undone while the user holds another row")
  func undoWaitsForTheDrop() async throws {
    let (view, list) = makeList()
    let (changed, change) = try await heldChange(of: view, list)
    view.drag(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 2))
    view.take(at: ItemPath(section: 0, item: 0))
    for _ in 0..<200 { await Task.yield() }
    #expect(view.interruptions.isEmpty && view.reloads == 1)
    view.drop(at: ItemPath(section: 0, item: 0))
    while view.reloads == 1 { await Task.yield() }
    view.end()
    _ = try await change.value
    #expect(view.matches(changed))
  }

  @Test("S17: a list that is released while it waits to undo a drag is released on the main actor")
  func releasedWhileUndoing() async throws {
    let (died, view) = (Log<Bool>(), StrictView())
    do {
      let list = ListSurface<Record>(view) { DiffableDataSource(surface: $0) }
      view.list = list
      let mortal = Mortal(died)
      list.canMove = { _ in withExtendedLifetime(mortal) { true } }
      try await list.source.apply(Albums(["a": [1, 2]]))
      view.layout()
      view.take(at: ItemPath(section: 0, item: 0))
      list.move(from: ItemPath(section: 9, item: 0), to: ItemPath(section: 0, item: 0))
      for _ in 0..<200 { await Task.yield() }
    }
    #expect(died.all.isEmpty, "the list waits for the drop")
    view.drop(at: ItemPath(section: 0, item: 0))
    while died.all.isEmpty { await Task.yield() }
    #expect(died.all == [true])
  }

  @Test("D30: the view is not reloaded while a row is held")
  func reloadWaitsForTheDrop() async {
    await exploreContract(seeds: 1_000) { try await reloadDuringADrag() }
  }

  private func reloadDuringADrag() async throws {
    let view = StrictView()
    let list = ListSurface<Record>(view) { DiffableDataSource(surface: $0, reloadThreshold: 0) }
    view.list = list
    try await list.source.apply(Albums(["a": [1, 2]]))
    view.layout()
    let new = Albums(["a": [2, 3]])
    let source = list.source
    let change = Task.detached { try await source.apply(new) }
    let user = Task {
      view.take(at: ItemPath(section: 0, item: 0))
      for _ in 0..<3 { await Task.yield() }
      view.drop(at: ItemPath(section: 0, item: 0))
    }
    await user.value
    try hold(try await change.value == .reloaded, "the view is not reloaded")
    try hold(view.interruptions.isEmpty, "interrupted by \(view.interruptions)")
    try hold(view.matches(new), "the view shows \(view.songs)")
  }

  @Test(
    "D30: after a drag at any time during a change of three stages, the view has the list's rows")
  func dragAnywhereInAChange() async {
    await exploreContract(seeds: 4_000) { try await dragInAChange() }
  }

  private func dragInAChange() async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2], "b": [3], "c": [4]]))
    view.layout()
    view.endsLater = true
    let new = Albums(["d": [1, 5], "c": [2, 4], "e": [3]])
    try hold(list.shown.batches(to: new).count == 3, "the change needs three stages")
    let change = Task { try await list.source.apply(new) }
    let drag = Task {
      guard let from = list.shown.paths.first else { return }
      let last = list.shown.numberOfSections - 1
      let room = list.shown.numberOfItems(in: last) - (last == from.section ? 1 : 0)
      view.drag(from: from, to: ItemPath(section: last, item: room))
    }
    await drag.value
    view.layout()
    try hold(
      view.songs == list.shown.sections.map(\.items), "the list does not have the view's rows")
    _ = try await change.value
    while list.shown != list.source.snapshot { await Task.yield() }
    try hold(view.matches(list.source.snapshot), "the view shows \(view.songs)")
  }

  @Test(
    "D30: nothing changes while the user drags a row, and neither the drop nor a snapshot is lost")
  func changesWaitForTheDrop() async {
    await exploreContract(seeds: 3_000) {
      try await changesDuringADrag(isTakenFirst: true, stays: false)
    }
  }

  @Test("D30: after a row is dropped at its old position, the waiting snapshots are shown")
  func dropInPlace() async {
    await exploreContract(seeds: 3_000) {
      try await changesDuringADrag(isTakenFirst: true, stays: true)
    }
  }

  @Test("D30: the view does not change while a row is held")
  func rowIsTakenAnytime() async {
    await exploreContract(seeds: 3_000) {
      try await changesDuringADrag(isTakenFirst: false, stays: false)
    }
  }

  private func changesDuringADrag(isTakenFirst: Bool, stays: Bool) async throws {
    let (view, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2], "b": [3], "c": [4]]))
    view.layout()
    view.endsLater = true
    var reorders = list.source.reorders.makeAsyncIterator()
    let (from, to) = (ItemPath(section: 0, item: 0), ItemPath(section: 1, item: 1))
    if isTakenFirst { view.take(at: from) }
    let last = Albums(["d": [1, 5], "c": [2, 4], "e": [3, 6]])
    let changes = Task {
      list.source.submit(Albums(["d": [1, 5], "c": [2, 4], "e": [3]]))
      return try await list.source.apply(last, animatingDifferences: false)
    }
    let user = Task {
      if !isTakenFirst { view.take(at: from) }
      for _ in 0..<3 { await Task.yield() }
      // The drag lasts longer than the interval at which the list checks whether the row is still held.
      if isTakenFirst { try? await Task.sleep(for: .milliseconds(120)) }
      view.drop(at: stays ? from : to)
    }
    _ = try await changes.value
    await user.value
    try hold(view.interruptions.isEmpty, "interrupted by \(view.interruptions)")
    if isTakenFirst, !stays { _ = await reorders.next() }
    while list.shown != list.source.snapshot { await Task.yield() }
    guard isTakenFirst || list.source.snapshot == last else { return }
    try hold(view.matches(last), "the view shows \(view.songs)")
  }

  @Test("D31: a cancelled prefetch is reported as items, and not at all if its rows were removed")
  func cancelledPrefetch() async throws {
    let (_, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2]]))
    var told: [[Int]] = []
    list.onCancelPrefetch = { told.append($0.map(\.id)) }
    list.cancelPrefetch([ItemPath(section: 0, item: 1), ItemPath(section: 3, item: 0)])
    list.cancelPrefetch([ItemPath(section: 0, item: 2)])
    #expect(told == [[2]])
  }

  @Test("D31: prefetched rows are reported as items, without rows that were removed")
  func prefetchReportsItems() async throws {
    let (_, list) = makeList()
    try await list.source.apply(Albums(["a": [1, 2]]))
    var told: [[Int]] = []
    list.onPrefetch = { told.append($0.map(\.id)) }
    list.prefetch([ItemPath(section: 0, item: 1), ItemPath(section: 3, item: 0)])
    list.prefetch([ItemPath(section: 0, item: 2)])
    #expect(told == [[2]])
  }
}

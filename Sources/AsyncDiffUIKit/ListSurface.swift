public import AsyncDiff
internal import AsyncKnot

/// The common base class of `CollectionViewList` and `TableViewList`: a surface for a view that creates its own cells.
///
/// The surface owns the data source and the shown snapshot, and handles dragged and prefetched rows.
@MainActor public class ListSurface<Section: SectionInflator>: DraggableSurface {
  /// The data source, which compares snapshots and shows them on this surface.
  public private(set) lazy var source = makeSource(self)

  /// Returns whether the user may drag a row; by default, no row can be dragged.
  ///
  /// `source.reorders` delivers the drags.
  public var canMove: (Section.Item) -> Bool = { _ in false }

  /// Called with rows that will soon be visible, to load slow content such as pictures.
  public var onPrefetch: ([Section.Item]) -> Void = { _ in }

  /// Called with rows that will not become visible after all: the rows that are now at the paths that UIKit reports.
  public var onCancelPrefetch: ([Section.Item]) -> Void = { _ in }

  /// How long the list waits for the end of an animation; 10 seconds by default.
  ///
  /// If the animation takes longer, `apply` throws ``StalledAnimation``, and the next snapshot reloads the view.
  public var animationLimit = Duration.seconds(10)

  /// Called with the path of a row that the view asks for, or that is on the screen; `nil` unless the list is shown page by page.
  var onReach: ((ItemPath) -> Void)?
  /// Contains the task that waits for the first state of the last query that was shown page by page.
  var paging = TaskBag()

  /// The snapshot that the view shows.
  package internal(set) var shown = DiffableSnapshot<Section>()

  /// The snapshot that the view must show after a refused drag.
  var owed: DiffableSnapshot<Section>?

  private let view: any ListView
  private let kind: (Section.Item) -> AnyObject?
  private let makeSource: (ListSurface) -> DiffableDataSource<Section>

  /// Creates a surface.
  ///
  /// - Parameters:
  ///   - view: The view that shows the list.
  ///   - kind: Returns the object that identifies the kind of a row's cell, or `nil` if there is only one kind.
  ///   - makeSource: Creates the data source. The closure is compiled in the app's module, which knows the type of the sections,
  ///     so that comparisons are specialized.
  package init(
    _ view: some ListView, kind: @escaping (Section.Item) -> AnyObject? = { _ in nil },
    makeSource: @escaping (ListSurface) -> DiffableDataSource<Section>
  ) {
    self.view = view
    self.kind = kind
    self.makeSource = makeSource
  }

  /// Always `.none`: the data source creates no cells, because the view creates its own.
  public nonisolated var nodePolicy: NodeDemand.Policy { .none }

  /// Waits until the user is not dragging a row and every drop is complete, or until the task is cancelled.
  ///
  /// UIKit does not report when a row is dropped at its old position, so this method polls the view.
  public func untilReleased() async {
    while view.isHeld, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
  }

  /// Waits until the user is not dragging a row, then reloads the view.
  public func reloadData(_ snapshot: DiffableSnapshot<Section>) async {
    await untilReleased()
    reload(snapshot)
  }

  /// Reloads the view and restores the selection, which a reload clears.
  func reload(_ snapshot: DiffableSnapshot<Section>) {
    let paths = view.selection.compactMap { shown.path(of: $0, in: snapshot) }
    (shown, owed) = (snapshot, nil)
    view.reload()
    if !paths.isEmpty { view.select(paths) }
  }

  /// Carries out a stage and, if the stage is animated, waits for the end of the animation.
  ///
  /// - Throws: ``StalledAnimation`` if the animation does not end within ``animationLimit``.
  public func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async throws {
    // The user may pick up a row between two stages.
    await untilReleased()
    // A view that is not in a window might never call its completion.
    guard view.isInWindow, owed == nil else { return reload(batch.snapshot) }
    defer { reachVisibleRows() }
    guard animated else { return view.animate(false) { carryOut(batch) {} } }
    try await AnimationEnd(limit: animationLimit).wait { end in
      view.animate(true) { carryOut(batch, completion: end) }
    }
  }

  /// Reports the last visible row of each section, because the view does not ask again for rows that stay on the screen.
  func reachVisibleRows() {
    guard let onReach else { return }
    let rows = view.visibleRows.filter { shown.itemIfPresent(at: $0) != nil }
    let last = Dictionary(rows.map { ($0.section, $0) }) { $0.item > $1.item ? $0 : $1 }
    for path in last.values { onReach(path) }
  }

  private func carryOut(
    _ batch: BatchUpdates<Section>, completion: @escaping @MainActor () -> Void
  ) {
    view.perform(
      { [self] in
        shown = batch.snapshot
        view.deleteSections(batch.sectionDeletes)
        view.insertSections(batch.sectionInserts)
        for move in batch.sectionMoves { view.moveSection(from: move.from, to: move.to) }
        view.deleteRows(batch.itemDeletes)
        view.insertRows(batch.itemInserts)
        for move in batch.itemMoves { view.moveRow(from: move.from, to: move.to) }
      }, completion: completion)
    update(batch)
    let sections = batch.sectionUpdates.map(\.to)
    if !sections.isEmpty { view.updateSections(sections) }
  }

  /// Updates changed rows: fills a cell again, or replaces it if the row now needs another kind of cell.
  ///
  /// UIKit raises an exception if a reconfigured row asks for another kind of cell.
  private func update(_ batch: BatchUpdates<Section>) {
    var (kept, replaced): ([ItemPath], [ItemPath]) = ([], [])
    for update in batch.itemUpdates {
      let old = kind(batch.previous.item(at: update.from))
      let new = kind(batch.snapshot.item(at: update.to))
      if old === new { kept.append(update.to) } else { replaced.append(update.to) }
    }
    if !kept.isEmpty { view.updateRows(kept) }
    guard !replaced.isEmpty else { return }
    let selected = Set(view.selection).intersection(replaced)
    view.replaceRows(replaced)
    if !selected.isEmpty { view.select(Array(selected)) }
  }
}

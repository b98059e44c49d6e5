public import AsyncDiff

/// A surface for a view that makes its cells itself, with the data source that calls it.
///
/// `CollectionViewList` and `TableViewList` are made of it. All that is common to them is here: what is
/// shown, rows that the user drags, rows that come into sight.
@MainActor public class ListSurface<Section: SectionInflator>: DraggableSurface {
  /// The data source, which compares snapshots and shows them here.
  public private(set) lazy var source = makeSource(self)

  /// Whether the user may drag a row; by default none.
  ///
  /// `source.reorders` tells what was dragged.
  public var canMove: (Section.Item) -> Bool = { _ in false }

  /// Called with rows that will soon be in sight, for what takes long to load, such as pictures.
  public var onPrefetch: ([Section.Item]) -> Void = { _ in }

  /// Called with rows that will not come into sight after all, as UIKit names them now.
  public var onCancelPrefetch: ([Section.Item]) -> Void = { _ in }

  /// How long snapshots wait for the end of an animation: 10 seconds unless told otherwise.
  ///
  /// After that `apply` throws ``StalledAnimation``, and the next snapshot reloads the view.
  public var animationLimit = Duration.seconds(10)

  /// Called with the path of a row that the view wants.
  var onReach: (ItemPath) -> Void = { _ in }

  /// What the view has.
  package internal(set) var shown = DiffableSnapshot<Section>()

  /// What the view should have, after a drag that was refused.
  var owed: DiffableSnapshot<Section>?

  private let view: any ListView
  private let kind: (Section.Item) -> AnyObject?
  private let makeSource: (ListSurface) -> DiffableDataSource<Section>

  /// Creates a surface.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - kind: The kind of cell that shows a row, an object for each; nil if there is one kind.
  ///   - makeSource: Makes the data source, where the type of the sections is known: the compiler writes
  ///     the comparison for it.
  package init(
    _ view: some ListView, kind: @escaping (Section.Item) -> AnyObject? = { _ in nil },
    makeSource: @escaping (ListSurface) -> DiffableDataSource<Section>
  ) {
    self.view = view
    self.kind = kind
    self.makeSource = makeSource
  }

  /// Says that the view makes its cells itself.
  public nonisolated var nodePolicy: NodeDemand.Policy { .none }

  /// Waits until the user holds no row, and until no drop is unfinished.
  ///
  /// UIKit tells nobody that a row was dropped where it was, so the view is asked again and again.
  public func untilReleased() async {
    while view.isHeld, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
  }

  /// Has the view ask for all rows anew.
  public func reloadData(_ snapshot: DiffableSnapshot<Section>) async {
    await untilReleased()
    reload(snapshot)
  }

  /// Reloads the view, which forgets what is selected.
  func reload(_ snapshot: DiffableSnapshot<Section>) {
    let selected = view.selection.compactMap { item(at: $0)?.diffIdentifier }
    (shown, owed) = (snapshot, nil)
    view.reload()
    let paths = selected.compactMap { snapshot.path(ofItem: $0) }
    if !paths.isEmpty { view.select(paths) }
  }

  /// Carries a stage out, and waits for the end of its animation; without one nothing is waited for.
  ///
  /// - Throws: ``StalledAnimation`` if the animation does not end within ``animationLimit``.
  public func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async throws {
    // The user may take a row between two stages.
    await untilReleased()
    // A view that is in no window need not call its completion.
    guard view.isInWindow, owed == nil else { return reload(batch.snapshot) }
    guard animated else { return view.animate(false) { carryOut(batch) {} } }
    try await AnimationEnd(limit: animationLimit).wait { end in
      view.animate(true) { carryOut(batch, completion: end) }
    }
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

  /// Shows what has changed in rows.
  ///
  /// UIKit raises an exception when a row that is reconfigured asks for a cell of another kind.
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

/// Events of rows that show an item of a tree.
///
/// The event's model is the item.
@Suite struct TreeEventTests {
  /// Shows rows, sends events with a stale path, and returns the paths that a subscriber receives.
  private func paths<Item: Nodable>(
    in rows: [Item], sending models: [Article]
  ) async throws -> [ItemPath] {
    let surface = StrictSurface<Items<Item>>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneSection(of: rows))
    let events = Recorder(source.events(of: Article.self))
    for model in models { source.channel.send(.ok(), from: model, at: at(7, 7)) }
    await events.wait(for: models.count)
    return events.elements.map(\.path)
  }

  @Test("D11, D19: a cell's event finds the row of its model in a tree")
  func path() async throws {
    var tree = ItemTree<Article>()
    try tree.append([Article(1), Article(2)])
    try tree.insert([Article(9)], before: 1)
    let sent = [Article(2), Article(1), Article(3)]
    #expect(try await paths(in: tree.rows, sending: sent) == [at(0, 2), at(0, 1), at(7, 7)])
  }

  @Test("D11: a cell's event finds the row of a tree among rows of other types")
  func mixedPath() async throws {
    let rows = [AnyNodable(Poll(id: 1)), AnyNodable(TreeRow(item: Article(1)))]
    #expect(try await paths(in: rows, sending: [Article(1)]) == [at(0, 1)])
    let outline = [TreeRow(item: AnyNodable(Poll(id: 1))), TreeRow(item: AnyNodable(Article(1)))]
    #expect(try await paths(in: outline, sending: [Article(1)]) == [at(0, 1)])
  }

  @Test(
    "D11: an event that a surface sends for a tree row reaches the subscribers of the item's type")
  func model() async throws {
    let surface = StrictSurface<Items<TreeRow<Article>>>()
    let source = DiffableDataSource(surface: surface)
    var tree = ItemTree<Article>()
    try tree.append([Article(1), Article(2)])
    try await source.apply(oneSection(of: tree.rows))
    let items = source.events(of: Article.self)
    let rows = source.events(of: TreeRow<Article>.self)
    source.send(.didSelect, at: at(0, 1))
    source.channel.send(.cancel, from: Article(-1), at: at(0, 0))
    source.channel.send(.cancel, from: TreeRow(item: Article(-1)), at: at(0, 0))
    let first = await items.first { _ in true }
    #expect(first == NodeEvent(model: Article(2), action: .didSelect, path: at(0, 1)))
    let row = await rows.first { _ in true }
    #expect(row?.model == TreeRow(item: Article(2)))
  }

  @Test("D11: in a tree of several types, the subscribers of one type get only that type's events")
  func mixedModel() async throws {
    let surface = StrictSurface<Items<TreeRow<AnyNodable>>>()
    let source = DiffableDataSource(surface: surface)
    let outline = [TreeRow(item: AnyNodable(Poll(id: 1))), TreeRow(item: AnyNodable(Article(2)))]
    try await source.apply(oneSection(of: outline))
    let items = source.events(of: Article.self)
    for path in source.snapshot.paths { source.send(.didSelect, at: path) }
    source.channel.send(.cancel, from: Article(-1), at: at(0, 0))
    #expect(await items.first { _ in true }?.model == Article(2))
  }
}

import AsyncDiff

struct Outline: SectionInflator {
  let tree: ItemTree<Article>
  var diffIdentifier: Int { 0 }
  var items: [TreeRow<Article>] { tree.rows }
}

func showTree(
  _ articles: [Article], replies: [Article], on source: DiffableDataSource<Outline>
) async throws {
  var tree = ItemTree<Article>()
  try tree.append(articles)
  try tree.append(replies, to: articles[0].diffIdentifier)
  try await source.apply(DiffableSnapshot(sections: [Outline(tree: tree)]))

  try tree.toggle(articles[0].diffIdentifier)
  try await source.apply(DiffableSnapshot(sections: [Outline(tree: tree)]))
}

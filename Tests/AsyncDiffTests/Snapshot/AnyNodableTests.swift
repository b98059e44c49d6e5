@Suite struct AnyNodableTests {
  @Test("A8: items of different types with the same identifier are different rows")
  func identityIncludesTheType() {
    #expect(AnyNodable(Article(1)).diffIdentifier != AnyNodable(Poll(id: 1)).diffIdentifier)
    #expect(AnyNodable(Article(1)).diffIdentifier == AnyNodable(Article(1, "x")).diffIdentifier)
    #expect(AnyNodable(Article(1)) != AnyNodable(Poll(id: 1)))
    #expect(AnyNodable(Article(1)) != AnyNodable(Article(1, "x")))
    #expect(AnyNodable(Article(1)) == AnyNodable(Article(1)))
  }

  @Test("A8: wrapping a wrapped model does not wrap it twice")
  func wrapsOnce() {
    let once = AnyNodable(Article(1))
    let twice = AnyNodable(once)
    #expect(twice.base is Article)
    #expect(twice == once)
    #expect(twice.diffIdentifier == once.diffIdentifier)
    #expect(Set([once.diffIdentifier, twice.diffIdentifier]).count == 1)
  }

  @Test("A7: a wrapper and a row of a tree forward the cell and the size of their model")
  func forwards() async {
    let context = NodeContext(containerSize: .init(width: 10, height: 10))
    #expect(AnyNodable(Poll(id: 1)).sizeRange(in: context).max.height == 3)
    #expect(AnyNodable(Article(1)).sizeRange(in: context) == context.automaticDimension)
    #expect(TreeRow(item: Poll(id: 1)).sizeRange(in: context).max.height == 3)
    let node = await AnyNodable(Article(1, "x")).nodeBlock(with: NodeEventChannel(), at: at(2, 3))()
    #expect(node as? TitleNode == TitleNode(title: "x", path: at(2, 3)))
  }
}

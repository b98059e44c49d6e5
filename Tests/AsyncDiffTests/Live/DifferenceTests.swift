import AsyncOptical

/// A transition between states that contain lists names the rows that changed.
@Suite struct DifferenceTests {
  private func lines<State: Equatable & Sendable>(_ before: State, _ after: State) -> [String] {
    let transition = Transition(cause: "edited", before: before, after: after)
    return transition.description.split(separator: "\n").dropFirst().map { String($0.dropFirst(2)) }
  }

  @Test("The difference of two tables names rows by identifier")
  func tables() {
    struct Shop: Equatable, Sendable {
      var name = "corner"
      var quotes = LiveTable<Quote>()
    }
    var (before, after) = (Shop(), Shop())
    before.quotes.upsert([Quote(id: "a", price: 1), Quote(id: "b"), Quote(id: "c")])
    after.quotes.upsert([Quote(id: "c"), Quote(id: "a", price: 2)])
    #expect(
      lines(before, after) == [
        #"quotes["a"].price: 1.0 → 2.0"#, "quotes[\"b\"]: removed \(Quote(id: "b"))",
      ])
    after.quotes = LiveTable(before.quotes.rows.reversed())
    #expect(
      lines(before, after) == ["quotes: \(before.quotes.rows) → \(after.quotes.rows)"],
      "a different order of insertion is a difference")
    #expect("\(before.quotes)" == "\(before.quotes.rows)")
  }

  @Test("The difference of two snapshots, or of two outlines, names the row and its property")
  func snapshots() throws {
    let before = Days(sections: [Day("a", header: "x", ids: [1, 2])])
    var article = Article(2)
    article.title = "new"
    let after = Days(sections: [Day("a", header: "y", [Article(1), article, Article(3)])])
    #expect(
      lines(before, after) == [
        #"sections[0].content: "x" → "y""#,
        #"sections[0].rows[1].title: "\#(Article(2).title)" → "new""#,
        "sections[0].rows[2]: added \(Article(3))",
      ])
    var (old, new) = (ItemTree<Article>(), ItemTree<Article>())
    try old.append([Article(1), Article(2)])
    try new.append([Article(1), article])
    #expect(lines(old, new) == [#"rows[1].item.title: "\#(Article(2).title)" → "new""#])
  }
}

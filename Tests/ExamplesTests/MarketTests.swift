import AsyncDiff
import AsyncKnot
import TerminalUI
import Testing

@testable import Market

@Suite struct MarketTests {
  @Test("D26: letters filter, Tab sorts, and the screen shows the query's result")
  func keys() async {
    let board = Board(Market(rows: 3_000))
    var states = board.list.states.makeAsyncIterator()
    _ = await states.next()
    _ = await board.press(.character("a"), page: 10)
    var rows = await states.next()?.items(in: 0) ?? []
    #expect(!rows.isEmpty && rows.count < 300 && rows.allSatisfy { $0.name.hasPrefix("A") })
    await board.market.trade(500)
    rows = await states.next()?.items(in: 0) ?? []
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.volume >= $1.volume }
    #expect(isSorted && rows.contains { $0.volume > 0 })
    // Tab switches from the order by volume to the order by arrival, and then to the order by name.
    for _ in 0..<2 { _ = await board.press(.tab, page: 10) }
    _ = await board.press(.backspace, page: 10)
    let expected = Wishes.ordered(by: .name).snapshot(of: board.market.state)
    let shown = await states.next()
    let isRight = shown == expected && shown?.numberOfItems == 3_000
    #expect(isRight)
  }

  @Test("A price has two digits after the point")
  func price() {
    var quote = Quote(id: 1)
    quote.price = 205
    let snapshot = Wishes.ordered(by: .arrival).snapshot(of: LiveTable([quote]))
    let frame = Board.frame(
      snapshot, of: 1, Wishes(), news: "", size: Size(columns: 80, rows: 4))
    #expect(frame.text(row: 1).split(separator: " ").dropFirst(2).first == "2.05")
  }

  @Test("A letter scrolls to the first row")
  func letterScrolls() async {
    let board = Board(Market(rows: 500))
    for key in [Key.end, .character("a")] { _ = await board.press(key, page: 10) }
    #expect(board.wishes.state.top == 0)
  }

  @Test("A window shows only the ranks to which the user has scrolled")
  func scrolling() async {
    let board = Board(Market(rows: 500))
    for key in [Key.end, .up, .pageUp, .down] { _ = await board.press(key, page: 10) }
    #expect(board.wishes.state.top == 480)
    let frame = Board.frame(
      board.list.state, of: 500, board.wishes.state, news: "", size: Size(columns: 80, rows: 5))
    #expect(frame.text(row: 0).hasPrefix("500 of 500"))
    #expect((1...3).map { frame.text(row: $0).split(separator: " ")[0] } == ["481", "482", "483"])
    #expect(frame.text(row: 4).hasPrefix("arrows"))
    for key in [Key.home, .pageDown] { _ = await board.press(key, page: 10) }
    #expect(board.wishes.state.top == 10)
    _ = await board.press(.tab, page: 10)
    #expect(board.wishes.state.top == 0)
    for key in [Key.character("a"), .escape] { #expect(await board.press(key, page: 10)) }
    #expect(board.wishes.state.prefix.isEmpty)
    let prices = Wishes.ordered(by: .price).snapshot(of: board.market.state).items(in: 0).map(
      \.price)
    #expect(prices == prices.sorted(by: >))
    for key in [Key.home, .up] { _ = await board.press(key, page: 10) }
    #expect(board.wishes.state.top == 0)
    #expect(await board.press(.escape, page: 10) == false)
  }
}

import AsyncDiff
import AsyncKnot
import TerminalUI

/// The user's view of a market, and the keys that change it.
struct Board {
  let market: Market
  let list: LiveList<Quote, LiveSection<Int, Quote, NoContent>>
  let wishes = Holder(Wishes())
  private let orders = Dictionary(
    uniqueKeysWithValues: Wishes.Order.allCases.map { ($0, Wishes.ordered(by: $0)) })

  actor Holder: StateActor {
    let knot: Knot<Wishes>

    init(_ wishes: Wishes) { knot = Knot(wishes) }
  }

  init(_ market: Market) {
    self.market = market
    list = LiveList(Wishes.ordered(by: Wishes().order), of: market)
  }

  /// Handles a key.
  ///
  /// Returns `false` if the key ends the program.
  func press(_ key: Key, page: Int) async -> Bool {
    let last = max(0, list.state.numberOfItems - page)
    var new = wishes.state
    switch key {
    case .escape where !new.prefix.isEmpty: new.prefix = ""
    case .escape, .control("c"): return false
    case .down: new.top = min(last, new.top + 1)
    case .up: new.top = max(0, new.top - 1)
    case .pageDown: new.top = min(last, new.top + page)
    case .pageUp: new.top = max(0, new.top - page)
    case .home: new.top = 0
    case .end: new.top = last
    case .tab:
      let all = Wishes.Order.allCases
      new.order = all[((all.firstIndex(of: new.order) ?? 0) + 1) % all.count]
      new.top = 0
    case .backspace: new.prefix = String(new.prefix.dropLast())
    case .character(let letter) where letter.isASCII && letter.isLetter:
      new.prefix += letter.uppercased()
      new.top = 0
    case .character, .control, .alt, .enter, .delete, .left, .right, .shiftUp, .shiftDown: break
    }
    if new.order != wishes.state.order || new.prefix != wishes.state.prefix,
      let ordered = orders[new.order]
    {
      list.show(new.query(from: ordered))
    }
    await wishes.sink(new)
    return true
  }

  /// Draws the window.
  ///
  /// It reads only the visible rows, by their ranks.
  static func frame(
    _ snapshot: DiffableSnapshot<LiveSection<Int, Quote, NoContent>>, of total: Int,
    _ wishes: Wishes, news: String, size: Size
  ) -> Frame {
    var frame = Frame(size: size)
    let rows = snapshot.sections.first?.rows ?? ShownRows()
    frame.put(
      words: ["\(rows.count) of \(total)", "by \(wishes.order)", "names: \(wishes.prefix)…", news],
      row: 0, column: 0, style: Style(nil, .bold))
    let top = min(wishes.top, max(0, rows.count - 1))
    for (line, rank) in (top..<max(top, min(rows.count, top + size.rows - 2))).enumerated() {
      let quote = rows[rank]
      frame.put("\(rank + 1)", row: line + 1, endingAt: 8, style: Style(nil, .dim))
      frame.put(quote.name, row: line + 1, column: 10)
      frame.put(
        "\(quote.price / 100).\(quote.price % 100 < 10 ? "0" : "")\(quote.price % 100)",
        row: line + 1, endingAt: 28, style: Style(.green))
      frame.put("\(quote.volume)", row: line + 1, endingAt: 40)
    }
    frame.putCut(
      "arrows, pages, Home, End: scroll  Tab: order  letters: filter  Esc: no filter, quit",
      row: size.rows - 1, column: 0, style: Style(nil, .dim))
    return frame
  }
}

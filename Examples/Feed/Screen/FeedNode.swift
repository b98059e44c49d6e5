import AsyncDiff
import TerminalUI

/// The lines of one item, which are created outside the surface and kept when the item moves.
struct FeedNode: CellNode, Equatable {
  struct Line: Equatable {
    let text: String
    let look: Look

    init(_ text: String, _ look: Look) {
      self.text = text
      self.look = look
    }
  }

  enum Look: Equatable {
    case banner, header, title, text, dimmed, bar
  }

  let lines: [Line]
}

extension FeedNode.Look {
  var style: Style {
    switch self {
    case .banner: Style(.black, on: .yellow)
    case .header: Style(.cyan, .bold)
    case .title: Style(nil, .bold)
    case .text: .plain
    case .dimmed: Style(.brightBlack)
    case .bar: Style(.blue)
    }
  }
}

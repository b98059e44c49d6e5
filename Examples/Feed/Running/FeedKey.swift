import TerminalUI

/// The program's action for a key.
enum FeedKey: Equatable {
  case move(Int), drag(Int), option(Int), select, vote, news, banner, quit

  init?(_ key: Key) {
    switch key {
    case .up: self = .move(-1)
    case .down: self = .move(1)
    case .shiftUp: self = .drag(-1)
    case .shiftDown: self = .drag(1)
    case .pageUp: self = .move(-10)
    case .pageDown: self = .move(10)
    case .home: self = .move(-1_000_000)
    case .end: self = .move(1_000_000)
    case .left: self = .option(-1)
    case .right: self = .option(1)
    case .enter: self = .select
    case .character("v"): self = .vote
    case .character("n"): self = .news
    case .character("r"): self = .banner
    case .character("q"), .control("c"): self = .quit
    case .character, .control, .alt, .tab, .backspace, .escape, .delete: return nil
    }
  }
}

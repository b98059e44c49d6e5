import TerminalUI

extension Dashboard.State {
  /// What a key asks for beside a change of what is shown.
  enum Request: Hashable, Sendable {
    case quit, suspend
    case filter(LineFilter)
  }

  /// Takes a key.
  mutating func press(_ key: Key) -> Request? {
    if key == .control("c") { return .quit }
    if key == .control("z") { return .suspend }
    message = ""
    if let text = typed { return edit(text, key) }
    switch key {
    case .up: scroll(to: scroll - 1)
    case .down: scroll(to: scroll + 1)
    case .pageUp: scroll(to: scroll - 10)
    case .pageDown: scroll(to: scroll + 10)
    case .home: scroll(to: 0)
    case .end: scroll(to: .max)
    case .tab:
      let panels = tally.panels
      panel = panels[((panels.firstIndex(of: panel) ?? -1) + 1) % panels.count]
      scroll = 0
    case .character("/"): typed = filter.source
    case .character(" "): isPaused.toggle()
    case .escape where isPaused: isPaused = false
    case .escape where !filter.isEmpty: return .filter(.none)
    case .escape, .character("q"): return .quit
    default: break
    }
    return nil
  }

  private mutating func scroll(to row: Int) {
    scroll = max(0, min(row, ranking.rows.count - 1))
  }

  private mutating func edit(_ text: String, _ key: Key) -> Request? {
    switch key {
    case .escape: typed = nil
    case .backspace: typed = String(text.dropLast())
    case .control("u"): typed = ""
    case .character(let character): typed = text + String(character)
    case .enter:
      do throws(LineFilter.Misuse) {
        let filter = try LineFilter(text)
        typed = nil
        return filter == self.filter ? nil : .filter(filter)
      } catch {
        message = error.message
      }
    default: break
    }
    return nil
  }
}

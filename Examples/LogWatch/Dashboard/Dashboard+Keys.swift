import TerminalUI

extension Dashboard.State {
  /// An action that a key requests from the caller, such as to quit.
  enum Request: Hashable, Sendable {
    case quit, suspend
    case filter(LineFilter)
  }

  /// Handles a key, and returns a request that the caller must carry out.
  mutating func press(_ key: Key) -> Request? {
    if key == .control("c") { return .quit }
    if key == .control("z") { return .suspend }
    message = ""
    if let text = typed { return edit(text, key) }
    if showsHelp {
      showsHelp = false
      return nil
    }
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
    case .character("?"): showsHelp = true
    case .character("+"), .character("="): zoom(by: 0.5)
    case .character("-"): zoom(by: 2)
    case .left: zoom(by: 1, shiftedBy: -0.25)
    case .right: zoom(by: 1, shiftedBy: 0.25)
    case .character("0"): zoom = nil
    case .enter: return zoom.map { .filter(filter.limited(to: $0)) }
    case .character(" "): isPaused.toggle()
    case .escape where zoom != nil: zoom = nil
    case .escape where isPaused: isPaused = false
    case .escape where !filter.isEmpty: return .filter(.none)
    case .character("q"): return .quit
    default: break
    }
    return nil
  }

  private mutating func scroll(to row: Int) {
    scroll = max(0, min(row, ranking.rows.count - 1))
  }

  /// Shows a different time range of the log, which is `factor` times as long and is shifted by `share` of the old length.
  private mutating func zoom(by factor: Double, shiftedBy share: Double = 0) {
    guard let all = tally.timeline.range else { return }
    let (old, whole) = (Double((zoom ?? all).count), all.count)
    let count = max(1, min(whole, Int((old * factor).rounded())))
    if count == whole {
      zoom = nil
      return
    }
    let middle = Double((zoom ?? all).lowerBound) + old * (0.5 + share)
    let first = Int((middle - Double(count) / 2).rounded())
    let start = max(all.lowerBound, min(first, all.upperBound + 1 - count))
    zoom = start...start + count - 1
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

import TerminalUI

/// Draws the two screens from their states.
enum HistoryPicture {
  static func list(_ state: HistoryList.State, selected: Int, size: Size) -> Frame {
    var frame = Frame(size: size)
    frame.putCut("History", row: 0, column: 1, style: Style(nil, .bold))
    frame.put("\(state.followed.count) followed", row: 0, endingAt: size.columns - 1)
    let height = max(1, size.rows - 5)
    let first = max(0, selected - height + 1)
    for (offset, entry) in state.entries.dropFirst(first).prefix(height).enumerated() {
      let isSelected = first + offset == selected
      let style = isSelected ? Style(nil, .reverse) : .plain
      let line = "\(isSelected ? ">" : " ") \(mark(entry, state)) \(entry.title)"
      frame.putCut(line, row: offset + 2, column: 1, width: size.columns - 8, style: style)
      frame.put("\(entry.year)", row: offset + 2, endingAt: size.columns - 1)
    }
    frame.putCut(state.notice ?? "", row: size.rows - 3, column: 1, style: Style(.yellow))
    frame.putCut(status(state), row: size.rows - 2, column: 1, style: Style(.yellow))
    frame.putCut(
      "↑↓ select  enter open  f follow  m more  r reload  c cancel  q quit", row: size.rows - 1,
      column: 1, style: Style(nil, .dim))
    return frame
  }

  static func entry(_ state: EntryEditor.State, in list: HistoryList.State, size: Size) -> Frame {
    var frame = Frame(size: size)
    let isEditing = state.phase != .reading
    frame.putCut("Entry \(state.entry.id)", row: 0, column: 1, style: Style(nil, .bold))
    let title = isEditing ? state.draft + "_" : state.entry.title
    frame.putCut("Title   \(title)", row: 2, column: 1)
    frame.putCut("Author  \(state.entry.author)", row: 3, column: 1)
    frame.putCut("Year    \(state.entry.year)", row: 4, column: 1)
    let isFollowed = list.followed.contains(state.entry.id)
    frame.putCut(isFollowed ? "* followed" : "not followed", row: 5, column: 1)
    let note = state.phase == .saving ? "Saving…" : state.problem ?? ""
    frame.putCut(note, row: size.rows - 2, column: 1, style: Style(.yellow))
    let keys =
      isEditing
      ? "enter save  ^Z undo  ^Y redo  esc abandon" : "e edit the title  f follow  esc back  q quit"
    frame.putCut(keys, row: size.rows - 1, column: 1, style: Style(nil, .dim))
    return frame
  }

  private static func mark(_ entry: Entry, _ state: HistoryList.State) -> String {
    state.followed.contains(entry.id) ? "*" : " "
  }

  private static func status(_ state: HistoryList.State) -> String {
    switch state.status {
    case .loading: "Loading…"
    case .note(let text): text
    case .idle where state.next == nil: "\(entries(state)) in total."
    case .idle: "\(entries(state)); m loads more."
    }
  }

  private static func entries(_ state: HistoryList.State) -> String {
    state.entries.count == 1 ? "1 entry" : "\(state.entries.count) entries"
  }
}

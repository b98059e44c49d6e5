/// A key as the terminal reports it.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A lowercase letter with Control, such as `.control("c")` for Ctrl-C.
  case control(Character)
  /// A character with Alt, or a character that directly follows Escape.
  case alt(Character)
  case enter, tab, backspace, escape, delete
  case up, down, left, right
  /// An arrow with Shift.
  case shiftUp, shiftDown
  case home, end, pageUp, pageDown
}

/// A key as the terminal reports it.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter held with Control, in lower case: Ctrl-C is `.control("c")`.
  case control(Character)
  /// A character held with Alt, or Escape right before it.
  case alt(Character)
  case enter, tab, backspace, escape, delete
  case up, down, left, right
  /// An arrow held with Shift.
  case shiftUp, shiftDown
  case home, end, pageUp, pageDown
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The size of a window or a part of it, in character cells.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The default size, for terminals that do not report their size.
  package static let classic = Size(columns: 80, rows: 24)

  /// The size of a descriptor's window; `nil` if the descriptor has no window or does not report its size.
  package init?(of descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    self.init(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }
}

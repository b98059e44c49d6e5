#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many character cells a window or a part of it has.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// What a terminal has that does not say.
  package static let classic = Size(columns: 80, rows: 24)

  /// The size of the window behind a descriptor; `nil` where there is none or it does not say.
  package init?(of descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    self.init(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }
}

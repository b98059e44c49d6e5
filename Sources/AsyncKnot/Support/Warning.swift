internal import AsyncKnotThread

/// Prints a line to standard error about a mistake that a debug build has detected.
package enum Warning {
  package static func print(_ text: String) { unsafe text.withCString { unsafe asyncKnotWarn($0) } }
}

internal import AsyncKnotThread

/// A line for the developer, on the standard error output: of a mistake that a debug build has seen.
package enum Warning {
  package static func print(_ text: String) { unsafe text.withCString { unsafe asyncKnotWarn($0) } }
}

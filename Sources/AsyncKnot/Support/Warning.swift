internal import AsyncKnotThread

/// Prints a line to standard error about a mistake that a debug build has detected.
package enum Warning {
  /// Prints a text, but only the first one for each type.
  package static func printOnce(for type: Any.Type, _ text: String) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    unsafe text.withCString { unsafe asyncKnotWarnOnce(type, $0) }
  }
}

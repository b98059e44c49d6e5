internal import AsyncKnotThread

/// Prints warnings to standard error about mistakes that a debug build detects.
package enum Warning {
  /// Prints a warning, unless one has already been printed for this type or for 64 other types.
  package static func printOnce(for type: Any.Type, _ text: String) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    unsafe text.withCString { unsafe asyncKnotWarnOnce(type, $0) }
  }
}

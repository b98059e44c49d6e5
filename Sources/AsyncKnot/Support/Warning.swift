internal import AsyncKnotThread

/// Prints warnings to standard error about mistakes that a debug build detects.
package enum Warning {
  /// Prints a warning, unless one has already been printed for this type or for 64 other types.
  package static func printOnce(for type: Any.Type, _ text: String) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    unsafe text.withCString { unsafe asyncKnotWarnOnce(type, $0) }
  }
}

/// The default of each `onError`: a debug build prints the first error of each type.
@usableFromInline
package func printUnhandled(_ error: some Error) {
  #if DEBUG
    Warning.printOnce(
      for: type(of: error as any Error),
      "A sequence has thrown \("\(error)".clipped(to: 200)), and no 'onError' handles it.")
  #endif
}

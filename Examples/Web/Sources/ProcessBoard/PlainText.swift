/// Makes untrusted text safe to show: readable, on one line, and of limited length.
///
/// ASCII control characters become their symbols, such as `␛`. Other control characters, separators of lines, marks that change
/// the direction of the following text, and bytes that are not UTF-8, become `�`. This affects only the appearance. The page
/// inserts all text as text, so a script in it never runs.
public enum PlainText {
  /// Returns the safe form of untrusted text.
  ///
  /// - Parameters:
  ///   - bytes: The untrusted bytes.
  ///   - limit: The number of Unicode scalars to keep. `…` replaces the rest.
  /// - Returns: The text with symbols and replacement characters.
  public static func of(_ bytes: some Collection<UInt8>, limit: Int = 2_000) -> String {
    // A scalar has at most four bytes, so a scalar that is cut here is beyond the limit.
    let text = String(decoding: bytes.prefix(4 * (limit + 1)), as: UTF8.self)
    var shown = String.UnicodeScalarView()
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < limit else {
        shown.append("…")
        break
      }
      shown.append(picture(of: scalar))
    }
    return String(shown)
  }

  private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "�"
    case 0x7F: "␡"
    case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: "�"
    default: scalar
    }
  }
}

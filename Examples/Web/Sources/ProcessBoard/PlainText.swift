/// Text of strangers, made fit to be shown: it looks like text, stays on its line, and ends.
///
/// Control characters become their pictures, `␛` for instance, and marks that turn the direction of what
/// follows become `�`, as do bytes that are not UTF-8. This is about looks; that nothing is run is the
/// page's concern, which sets text as text.
public enum PlainText {
  /// Makes what somebody wrote fit.
  ///
  /// - Parameters:
  ///   - bytes: What somebody wrote.
  ///   - limit: How many characters to keep; `…` stands for the rest.
  /// - Returns: The text.
  public static func of(_ bytes: some Collection<UInt8>, limit: Int = 2_000) -> String {
    // A scalar has four bytes at most, and what is cut in the middle of one is beyond the limit.
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

extension String {
  /// Returns the text if it has at most `length` characters, and otherwise its beginning and `…`.
  package func clipped(to length: Int) -> String {
    count <= length ? self : prefix(length - 1) + "…"
  }
}

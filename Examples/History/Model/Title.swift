/// The rules for a title.
enum Title {
  static let limit = 40

  /// What is wrong with a title, for the user to read; `nil` where nothing is.
  static func problem(with text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "A title needs at least one letter." }
    if text.count > limit { return "\(text.count - limit) characters too many (at most \(limit))." }
    return nil
  }
}

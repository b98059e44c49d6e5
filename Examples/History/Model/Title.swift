/// The rules for a title.
enum Title {
  static let limit = 40

  /// The problem with a title, in words for the user, or `nil` if it is valid.
  static func problem(with text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "A title needs at least one letter." }
    if text.count > limit { return "\(text.count - limit) characters too many (at most \(limit))." }
    return nil
  }
}

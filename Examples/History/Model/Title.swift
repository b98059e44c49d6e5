/// The rules for a title.
enum Title {
  static let limit = 40

  /// Returns the problem with a title, as a message for the user, or `nil` if the title is valid.
  static func problem(with text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "A title cannot be blank." }
    if text.count > limit { return "A title has at most \(limit) characters; got \(text.count)." }
    return nil
  }
}

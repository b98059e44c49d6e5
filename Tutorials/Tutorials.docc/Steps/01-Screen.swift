extension Search.State {
  /// The text that the terminal shows.
  var screen: String {
    (["Search: \(query)_", ""] + titles.map { "  \($0)" }).joined(separator: "\n")
  }
}

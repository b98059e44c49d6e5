extension Search.State {
  /// The text that the terminal shows.
  var screen: String {
    let lines = message.isEmpty ? titles.map { "  \($0)" } : [message]
    return (["Search: \(query)_", ""] + lines).joined(separator: "\n")
  }
}

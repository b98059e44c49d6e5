/// One entry of the history.
struct Entry: Codable, Hashable, Sendable {
  var id: Int
  var title: String
  var author: String
  var year: Int
}

/// A page of the history, and the name of the next page.
struct Page: Codable, Hashable, Sendable {
  var entries: [Entry]
  /// The name of the next page in the same folder; `nil` for the last page.
  var next: String?
}

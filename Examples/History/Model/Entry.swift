/// One entry of the history.
struct Entry: Codable, Hashable, Sendable {
  var id: Int
  var title: String
  var author: String
  var year: Int
}

/// A part of the history, and where it goes on.
struct Page: Codable, Hashable, Sendable {
  var entries: [Entry]
  /// The name of the next page, next to this one.
  var next: String?
}

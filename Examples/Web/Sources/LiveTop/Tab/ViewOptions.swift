/// The options of a tab: its ranking, filter and folded users.
struct ViewOptions: Hashable, Sendable, Codable {
  enum Ranking: String, Hashable, Sendable, Codable {
    case cpu, memory
  }

  /// The maximum length of a filter or a user's name, in Unicode scalars.
  static let filterLimit = 100
  /// The maximum number of users that a page can fold, because a tab stores their names.
  static let foldedLimit = 200

  var ranking = Ranking.cpu
  /// A process matches if this is its number, or if its name, command or user contains this text in upper or lower case.
  var filter = ""
  /// The users whose processes are hidden.
  var folded: Set<String> = []

  mutating func setFilter(_ text: String) {
    filter = String(text.unicodeScalars.prefix(Self.filterLimit))
  }

  /// A copy of the options that respects the limits.
  var limited: ViewOptions {
    var options = ViewOptions(ranking: ranking)
    options.setFilter(filter)
    for user in folded { options.fold(user) }
    return options
  }

  /// Hides the processes of a user.
  ///
  /// Does nothing if the name is too long or the limit is reached.
  mutating func fold(_ user: String) {
    guard folded.count < Self.foldedLimit, user.unicodeScalars.count <= Self.filterLimit else {
      return
    }
    folded.insert(user)
  }
}

/// The options of a tab: its ranking, filter and folded users.
struct ViewOptions: Hashable, Sendable, Codable {
  enum Ranking: String, Hashable, Sendable, Codable {
    case cpu, memory
  }

  /// The maximum length of a filter or a user's name, in scalars.
  static let filterLimit = 100
  /// The maximum number of users that a page can fold; a tab keeps their names.
  static let foldedLimit = 200

  var ranking = Ranking.cpu
  /// A text that the name, the command or the user contains, in any case, or the process number.
  var filter = ""
  /// The users whose processes are hidden.
  var folded: Set<String> = []

  mutating func setFilter(_ text: String) {
    filter = String(text.unicodeScalars.prefix(Self.filterLimit))
  }

  /// The options reduced to the limits.
  var limited: ViewOptions {
    var options = ViewOptions(ranking: ranking)
    options.setFilter(filter)
    for user in folded { options.fold(user) }
    return options
  }

  /// Hides the processes of a user; ignores a name that is too long, and users beyond the limit.
  mutating func fold(_ user: String) {
    guard folded.count < Self.foldedLimit, user.unicodeScalars.count <= Self.filterLimit else {
      return
    }
    folded.insert(user)
  }
}

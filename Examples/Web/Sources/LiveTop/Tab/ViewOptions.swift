/// How a tab wants to see the processes.
struct ViewOptions: Hashable, Sendable, Codable {
  enum Ranking: String, Hashable, Sendable, Codable {
    case cpu, memory
  }

  /// In scalars, as is the length of a user's name.
  static let filterLimit = 100
  /// How many users a page may fold away; what it asks for stays as long as its tab.
  static let foldedLimit = 200

  var ranking = Ranking.cpu
  /// What the name, the command, the user or the number has to contain, in whatever case.
  var filter = ""
  /// The users whose processes are folded away.
  var folded: Set<String> = []

  mutating func setFilter(_ text: String) {
    filter = String(text.unicodeScalars.prefix(Self.filterLimit))
  }

  /// What of it is within the limits.
  var limited: ViewOptions {
    var options = ViewOptions(ranking: ranking)
    options.setFilter(filter)
    for user in folded { options.fold(user) }
    return options
  }

  /// Folds a user away; more users than there may be, and a name that none has, are left out.
  mutating func fold(_ user: String) {
    guard folded.count < Self.foldedLimit, user.unicodeScalars.count <= Self.filterLimit else {
      return
    }
    folded.insert(user)
  }
}

/// How a tab wants to see the processes.
struct ViewOptions: Hashable, Sendable, Codable {
  enum Ranking: String, Hashable, Sendable, Codable {
    case cpu, memory
  }

  static let filterLimit = 100

  var ranking = Ranking.cpu
  /// What the name, the command, the user or the number has to contain, in whatever case.
  var filter = ""
  /// The users whose processes are folded away.
  var folded: Set<String> = []
}

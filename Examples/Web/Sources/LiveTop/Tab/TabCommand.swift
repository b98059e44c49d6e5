import ProcessBoard

/// A command of a page, which the page encodes as JSON.
///
/// ```json
/// {"do": "rank", "by": "memory"}
/// {"do": "filter", "text": "swift"}
/// {"do": "fold", "user": "root", "on": true}
/// {"do": "pause", "on": true}
/// {"do": "select", "process": "4711.1234"}
/// {"do": "restore", "options": {"ranking": "cpu", "filter": "", "folded": ["root"]}}
/// ```
enum TabCommand: Equatable, Sendable {
  case rank(ViewOptions.Ranking)
  case filter(String)
  case fold(user: String, isFolded: Bool)
  case pause(Bool)
  /// Selects the process whose details are shown; `nil` hides the details.
  case select(ProcessID?)
  /// Restores the options that a page had before it lost its server.
  case restore(ViewOptions)
}

extension TabCommand: Decodable {
  private enum Key: String, CodingKey {
    case name = "do"
    case by, text, user, on, process, options
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .name) {
    case "rank": self = .rank(try container.decode(ViewOptions.Ranking.self, forKey: .by))
    case "filter": self = .filter(try container.decode(String.self, forKey: .text))
    case "fold":
      self = .fold(
        user: try container.decode(String.self, forKey: .user),
        isFolded: try container.decode(Bool.self, forKey: .on))
    case "pause": self = .pause(try container.decode(Bool.self, forKey: .on))
    case "select":
      self = .select(try container.decodeIfPresent(ProcessID.self, forKey: .process))
    case "restore":
      self = .restore(try container.decode(ViewOptions.self, forKey: .options))
    case let name:
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: container,
        debugDescription:
          "needs rank, filter, fold, pause, select or restore; got \(name.prefix(100))")
    }
  }
}

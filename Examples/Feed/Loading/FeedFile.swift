import Foundation

/// The reason why a file is invalid, as a message for the user.
struct FeedFileError: Error, Equatable, CustomStringConvertible {
  let description: String
}

/// The JSON form of a feed.
struct FeedFile: Decodable {
  private struct Title: Decodable {
    let title: String, text: String
  }

  private struct Section: Decodable {
    let day: String, subjects: [Entry]
  }

  private struct Entry: Decodable {
    struct Article: Decodable {
      let title: String, preview: String
    }
    struct Poll: Decodable {
      struct Option: Decodable {
        let name: String, votes: Int
      }
      let title: String, options: [Option]
    }
    let article: Article?, poll: Poll?
    /// The day of a news entry; `nil` for all other entries.
    let day: String?
  }

  private let banner: Title?, days: [Section], news: [Entry]?

  /// Reads a feed.
  ///
  /// Names identify days, and titles identify subjects, so both must be unique.
  static func read(_ text: String) throws(FeedFileError) -> FeedState {
    let file: FeedFile
    do {
      file = try JSONDecoder().decode(FeedFile.self, from: Data(text.utf8))
    } catch {
      throw FeedFileError(description: Self.reason(error))
    }
    var titles: Set<String> = [], names: Set<String> = []
    var state = FeedState()
    state.banner = file.banner.map { Banner(title: $0.title, text: $0.text) }
    for day in file.days {
      guard names.insert(day.day).inserted else {
        throw FeedFileError(description: "two days have the name \"\(day.day)\"")
      }
      var subjects: [Subject] = []
      for entry in day.subjects { subjects.append(try subject(entry, &titles)) }
      state.days.append(Day(name: day.day, subjects: subjects))
    }
    for entry in file.news ?? [] {
      guard let day = entry.day else {
        throw FeedFileError(description: "an entry of \"news\" has no \"day\"")
      }
      state.news.append(News(day: day, subject: try subject(entry, &titles)))
    }
    return state
  }

  private static func subject(
    _ entry: Entry, _ titles: inout Set<String>
  ) throws(FeedFileError) -> Subject {
    let subject: Subject
    switch (entry.article, entry.poll) {
    case (let article?, nil):
      subject = .article(Article(title: article.title, preview: article.preview))
    case (nil, let poll?):
      let options = poll.options.map { Poll.Option(name: $0.name, votes: $0.votes) }
      guard !options.isEmpty, options.allSatisfy({ $0.votes >= 0 }) else {
        throw FeedFileError(
          description:
            "the poll \"\(poll.title)\" needs at least 1 option, and votes of at least 0")
      }
      subject = .poll(Poll(title: poll.title, options: options))
    default:
      throw FeedFileError(description: "a subject needs either an \"article\" or a \"poll\"")
    }
    guard titles.insert(subject.title).inserted else {
      throw FeedFileError(description: "two subjects have the title \"\(subject.title)\"")
    }
    return subject
  }

  /// Describes where the decoder stopped, and why.
  private static func reason(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      "feed\(path(context)) has no \"\(key.stringValue)\""
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "feed\(path(context)): \(context.debugDescription)"
    case .dataCorrupted(let context): context.debugDescription
    default: "\(error)"
    }
  }
}

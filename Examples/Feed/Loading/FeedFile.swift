/// Reads a feed from the text of a JSON file.
///
/// Subjects are told apart by their titles, so no two may have the same.
struct FeedFile {
  private var titles: Set<String> = []

  static func read(_ text: String) throws(FeedFileError) -> FeedState {
    var file = FeedFile()
    return try file.feed(try JSONParser.parse(text))
  }

  private mutating func feed(_ json: JSON) throws(FeedFileError) -> FeedState {
    let members = try json.object("the feed")
    var state = FeedState()
    if let banner = members["banner"] {
      state.banner = Banner(
        title: try text("title", of: banner, "the banner"),
        text: try text("text", of: banner, "the banner"))
    }
    var names: Set<String> = []
    for day in try json.member("days", of: "the feed").array("\"days\"") {
      let name = try text("day", of: day, "a day")
      guard names.insert(name).inserted else {
        throw FeedFileError(line: day.line, reason: "two days are called \"\(name)\"")
      }
      var subjects: [Subject] = []
      for subject in try day.member("subjects", of: "a day").array("\"subjects\"") {
        subjects.append(try self.subject(subject))
      }
      state.days.append(Day(name: name, subjects: subjects))
    }
    for item in try members["news"]?.array("\"news\"") ?? [] {
      let day = try text("day", of: item, "news")
      state.news.append(News(day: day, subject: try subject(item)))
    }
    return state
  }

  private mutating func subject(_ json: JSON) throws(FeedFileError) -> Subject {
    let members = try json.object("a subject")
    let subject: Subject
    switch (members["article"], members["poll"]) {
    case (let article?, nil):
      subject = .article(
        Article(
          title: try text("title", of: article, "an article"),
          preview: try text("preview", of: article, "an article")))
    case (nil, let poll?):
      subject = .poll(
        Poll(title: try text("title", of: poll, "a poll"), options: try options(of: poll)))
    case (nil, nil), (_?, _?):
      throw FeedFileError(
        line: json.line, reason: "a subject has either an \"article\" or a \"poll\"")
    }
    guard titles.insert(subject.title).inserted else {
      throw FeedFileError(
        line: json.line, reason: "two subjects are called \"\(subject.title)\"")
    }
    return subject
  }

  private func options(of poll: JSON) throws(FeedFileError) -> [Poll.Option] {
    let list = try poll.member("options", of: "a poll")
    var options: [Poll.Option] = []
    for option in try list.array("\"options\"") {
      options.append(
        Poll.Option(
          name: try text("name", of: option, "an option"),
          votes: try option.member("votes", of: "an option").count("\"votes\"")))
    }
    guard !options.isEmpty else {
      throw FeedFileError(line: list.line, reason: "a poll needs an option")
    }
    return options
  }

  private func text(
    _ key: String, of json: JSON, _ name: String
  ) throws(FeedFileError) -> String {
    try json.member(key, of: name).string("\"\(key)\"")
  }
}

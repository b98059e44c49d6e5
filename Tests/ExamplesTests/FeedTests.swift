import AsyncDiff
import Foundation
import Testing
import TerminalUI

@testable import Feed

@Suite struct FeedTests {
  /// A feed of one day, with an article, a poll and a piece of news.
  static let small = """
    {"banner": {"title": "Hello", "text": "there"},
     "days": [{"day": "Today", "subjects": [
       {"article": {"title": "A", "preview": "a"}},
       {"poll": {"title": "P", "options": [{"name": "Yes", "votes": 1}, {"name": "No", "votes": 2}]}}
     ]}],
     "news": [{"day": "Today", "article": {"title": "N", "preview": "n"}}]}
    """

  /// Returns the nonempty rows between the first and the last row of the screen, after the user has pressed `keys`.
  private func rows(after keys: String) async throws -> [String] {
    let state = try FeedFile.read(Self.small)
    let screen = await Feed.play(
      try KeyScript.keys(keys), on: state, size: Size(columns: 60, rows: 16))
    return (1..<15).map { screen.text(row: $0) }.filter { !$0.isEmpty }
  }

  @Test(
    "A20, A25, A26, D13, D20: keys change a feed",
    arguments: fixture("feed.txt", separator: "\n\n").map { text in
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
      return (String(lines[0].dropFirst("keys: ".count)), Array(lines.dropFirst()))
    })
  func keys(_ keys: String, _ rows: [String]) async throws {
    #expect(try await self.rows(after: keys) == rows)
  }

  @Test("Truncated text ends in an ellipsis, and key hints are not truncated")
  func cutText() async throws {
    let state = try FeedFile.read(Self.small)
    let size = Size(columns: 24, rows: 8)
    let screen = await Feed.play(try KeyScript.keys("down*2 enter"), on: state, size: size)
    #expect(screen.text(row: 0) == "Feed  1 moved, 1… 3 rows")
    #expect(screen.text(row: 3) == "      Yes              …")
    #expect(screen.text(row: 6) == "      a")
    #expect(screen.text(row: 7) == "q quit  ↑↓ move")
  }

  @Test("The cursor stays visible in a small window")
  func scrolls() async throws {
    let state = try FeedFile.read(Self.small)
    let screen = await Feed.play([.end], on: state, size: Size(columns: 40, rows: 5))
    #expect((1..<4).map { screen.text(row: $0) }.first == "  > P")
    for rows in 0..<3 {
      _ = await Feed.play([.end, .enter], on: state, size: Size(columns: 3, rows: rows))
    }
  }

  @Test(
    "An invalid file is reported with the location and the reason",
    arguments: [
      ("{}", "feed has no \"days\""),
      ("{\"days\": 3}", "feed.days: "), ("{\n\"days\": [}", "The given data"),
      ("{\"banner\": {\"title\": \"x\"}, \"days\": []}", "feed.banner has no \"text\""),
      (
        #"{"days": [], "news": [{"article": {"title": "t", "preview": "p"}}]}"#,
        "an entry of \"news\" has no \"day\""
      ),
      (
        #"{"days": [{"day": "a", "subjects": [{"article": {"title": "t", "preview": "p"}}]}], "news": [{"day": "a", "article": {"title": "t", "preview": "q"}}]}"#,
        "two subjects have the title \"t\""
      ),
      (
        "{\"days\": [{\"day\": \"a\", \"subjects\": [{}]}]}",
        "a subject needs either an \"article\" or a \"poll\""
      ),
      (
        "{\"days\": [{\"day\": \"a\", \"subjects\": []}, {\"day\": \"a\", \"subjects\": []}]}",
        "two days have the name \"a\""
      ),
      (
        "{\"days\": [{\"day\": \"a\", \"subjects\": [{\"poll\": {\"title\": \"p\", \"options\": []}}]}]}",
        "the poll \"p\" needs at least 1 option, and votes of at least 0"
      ),
    ])
  func badFile(text: String, reason: String) {
    let error = #expect(throws: FeedFileError.self) { try FeedFile.read(text) }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test("News of a new day comes first")
  func newDay() {
    var state = FeedState()
    state.days = [Day(name: "a", subjects: [])]
    state.news = [News(day: "b", subject: .article(Article(title: "t", preview: "p")))]
    state.bringNews()
    #expect(state.days.map(\.name) == ["b", "a"])
  }

  @Test("A script names its keys, and an unknown key is reported with its line")
  func script() throws {
    #expect(try KeyScript.keys("down*2 v # x\nEnter") == [.down, .down, .character("v"), .enter])
    let error = #expect(throws: FeedFileError.self) { try KeyScript.keys("up\nupp") }
    #expect(error?.description == "line 2: \"upp\" is not a key")
    #expect(throws: FeedFileError.self) { try KeyScript.keys("up*0") }
  }

  @Test("The arguments are a file and an optional script")
  func arguments() throws {
    #expect(try Arguments(["a", "--script", "b"]).script == "b")
    #expect(try Arguments(["--help"]).wantsHelp)
    #expect(throws: Arguments.Failure.self) { try Arguments([]) }
    #expect(throws: Arguments.Failure.self) { try Arguments(["a", "b"]) }
    #expect(throws: Arguments.Failure.self) { try Arguments(["a", "--script"]) }
    #expect(throws: Arguments.Failure.self) { try Arguments(["a", "--nonsense"]) }
  }

  @Test("The shipped samples are valid")
  func samples() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/Feed/Samples")
    let text = try String(contentsOf: folder.appending(path: "feed.json"), encoding: .utf8)
    let keys = try String(contentsOf: folder.appending(path: "tour.keys"), encoding: .utf8)
    let screen = await Feed.play(try KeyScript.keys(keys), on: try FeedFile.read(text))
    #expect(screen.text(row: 0).hasPrefix("Feed  1 changed"))
  }
}

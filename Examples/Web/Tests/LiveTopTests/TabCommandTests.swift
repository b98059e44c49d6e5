import AsyncOptical
import Foundation
import Testing

@testable import LiveTop
@testable import ProcessBoard
@testable import WebServer

@Suite struct TabCommandTests {
  private func command(_ json: String) throws -> TabCommand {
    try JSONDecoder().decode(TabCommand.self, from: Data(json.utf8))
  }

  @Test func commandsAreDecoded() throws {
    #expect(try command(#"{"do":"rank","by":"memory"}"#) == .rank(.memory))
    #expect(try command(#"{"do":"filter","text":"a"}"#) == .filter("a"))
    #expect(
      try command(#"{"do":"fold","user":"root","on":true}"#) == .fold(user: "root", isFolded: true))
    #expect(try command(#"{"do":"pause","on":false}"#) == .pause(false))
    #expect(
      try command(#"{"do":"select","process":"4.5"}"#) == .select(ProcessID(number: 4, start: 5)))
    #expect(try command(#"{"do":"select","process":null}"#) == .select(nil))
    #expect(
      try command(#"{"do":"restore","options":{"ranking":"cpu","filter":"x","folded":["a"]}}"#)
        == .restore(ViewOptions(filter: "x", folded: ["a"])))
  }

  @Test(arguments: [
    "{}", #"{"do":"fly"}"#, #"{"do":"rank","by":"age"}"#, #"{"do":"select","process":"1.2.3"}"#,
    #"{"do":"fold","user":"a"}"#, "[]", #"{"do":"restore","options":{}}"#,
  ])
  func invalidCommandsAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try command(json) }
  }

  @Test func filterIsCutAtItsLimit() async {
    let binder = TabBinder(sampler: Sampler(Simulation(seed: 1)))
    binder.send(.filter(String(repeating: "é", count: 1_000)))
    for await state in binder.states where !state.options.filter.isEmpty { break }
    #expect(binder.state.options.filter.unicodeScalars.count == ViewOptions.filterLimit)
  }

  @Test("a page cannot fold more users than the limit, even with many commands")
  func folds() {
    let long = String(repeating: "é", count: 1_000)
    var options = ViewOptions()
    for number in 0..<10_000 { options.fold("user \(number)") }
    #expect(options.folded.count == ViewOptions.foldedLimit)
    options.folded.remove("user 0")
    options.fold(long)
    #expect(options.folded.count == ViewOptions.foldedLimit - 1)
    let asked = ViewOptions(
      ranking: .memory, filter: long, folded: Set((0..<10_000).map { "user \($0)" }))
    #expect(asked.limited.ranking == .memory)
    #expect(asked.limited.filter.unicodeScalars.count == ViewOptions.filterLimit)
    #expect(asked.limited.folded.count == ViewOptions.foldedLimit)
  }

  @Test func argumentsAreChecked() throws {
    let arguments = try Arguments(["--port", "0", "--every", "0.5", "--tabs", "3", "--host", "::1"])
    #expect(
      arguments.listen.port == 0 && arguments.interval == .seconds(0.5)
        && arguments.listen.tabs == 3)
    #expect(arguments.listen.host.description == "[::1]")
    for words in [
      ["--port"], ["--port", "65536"], ["--host", "0.0.0.0"], ["--every", "nan"], ["x"],
    ] {
      #expect(throws: OptionWords.Misuse.self) { try Arguments(words) }
    }
  }
}

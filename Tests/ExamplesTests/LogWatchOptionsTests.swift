import Testing

@testable import LogWatch
@testable import TerminalUI

@Suite("LogWatch: the command line")
struct LogWatchOptionsTests {
  @Test("Options and files may be in any order")
  func options() throws {
    let options = try Options(["a.log", "--follow", "--json", "-n", "3", "-", "--", "--odd-name"])
    #expect(options.files == ["a.log", "-", "--odd-name"])
    #expect(options.follows)
    #expect(options.writesJSON)
    #expect(options.top == 3)
    #expect(try Options(["--help"]).wantsHelp)
  }

  @Test(
    "An error names the invalid argument",
    arguments: [
      ([], "needs a log file, or - for standard input"), (["--color"], "unknown option --color"),
      (["a", "--top"], "--top: needs a number from 1 to 1000; got nothing"),
      (["a", "-n", "0"], "-n: needs a number from 1 to 1000; got 0"),
      (["a", "-n", "ten"], "-n: needs a number from 1 to 1000; got ten"),
      (["-x", "a"], "unknown option -x"), (["--filter"], "--filter: needs words; got nothing"),
      (
        ["a", "--filter", "from:x"],
        "--filter: needs a time such as 2024-06-13T10:00, or a date; got x"
      ),
    ] as [([String], String)])
  func misuse(_ arguments: [String], _ message: String) {
    #expect(throws: Options.Misuse(message: message)) { try Options(arguments) }
  }

  @Test(
    "An error number is reported in words",
    arguments: [
      (2, "x: no such file"), (20, "x: no such file"), (21, "x: is a directory, not a log file"),
      (13, "x: not permitted to read it"),
      (5, "x: Input/output error"),
    ] as [(Int32, String)])
  func causes(_ code: Int32, _ message: String) {
    #expect(SourceError("x", code: code).description == message)
  }
}

import Foundation
import TerminalUI

/// The program's arguments.
struct Arguments: Sendable {
  typealias Failure = CommandLineWords.Misuse

  static let usage = """
    usage: History [--timeout SECONDS] [--state FILE] [ADDRESS]

      ADDRESS            the server, for example http://127.0.0.1:8000/;
                         by default, the program's own history
      --timeout SECONDS  the time limit for a response; 10 by default
      --state FILE       save the followed entries in FILE
      -h, --help         show this text

    The screen lists the keys. ^Z undoes typing while you edit a title,
    and suspends the program otherwise.

    """

  var address: URL?
  var timeout = Duration.seconds(10)
  var state: URL?
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var words = CommandLineWords(arguments)
    while let word = words.next() {
      switch word {
      case .option("--timeout"):
        timeout = try words.value(of: "--timeout", "a number of seconds above 0") { word in
          Double(word).flatMap { $0 > 0 && $0 < 1e9 ? .seconds($0) : nil }
        }
      case .option("--state"):
        state = try words.value(of: "--state", "a file") { URL(filePath: $0) }
      case .option("-h"), .option("--help"): wantsHelp = true
      case .option(let name): throw CommandLineWords.unknown(name)
      case .operand(let word):
        guard address == nil else { throw Failure(message: "needs one ADDRESS; also got \(word)") }
        guard let url = URL(string: word), let scheme = url.scheme,
          ["http", "https"].contains(scheme), url.host != nil
        else { throw Failure(message: "ADDRESS: needs an http or https address; got \(word)") }
        address = url
      }
    }
  }
}

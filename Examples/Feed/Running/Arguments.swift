import TerminalUI

/// The program's arguments.
struct Arguments: Equatable {
  typealias Failure = CommandLineWords.Misuse

  static let usage = """
    usage: Feed [--script KEYS] FILE

      FILE            the feed, as JSON, such as Examples/Feed/Samples/feed.json
      --script KEYS   play the keys in a file without a terminal, and print the last screen
      -h, --help      show this text

    Keys: arrows move, Shift-arrows drag, Enter selects or folds, v votes, n inserts news, r brings back
    the banner, ^Z suspends, q quits.

    """

  var feed = ""
  var script: String?
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var files: [String] = []
    var words = CommandLineWords(arguments)
    while let word = words.next() {
      switch word {
      case .option("--script"): script = try words.value(of: "--script", "a file") { $0 }
      case .option("-h"), .option("--help"): wantsHelp = true
      case .option(let name): throw CommandLineWords.unknown(name)
      case .operand(let file): files.append(file)
      }
    }
    if wantsHelp { return }
    guard files.count == 1 else { throw Failure(message: "needs one file; got \(files.count)") }
    feed = files[0]
  }
}

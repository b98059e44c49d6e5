import TerminalUI

/// The options of the command line.
struct Options: Equatable {
  typealias Misuse = CommandLineWords.Misuse

  var files: [String] = []
  var follows = false
  var writesJSON = false
  var top = 10
  var filter = LineFilter.none
  var wantsHelp = false

  init(_ arguments: some Collection<String>) throws(Misuse) {
    var words = CommandLineWords(arguments)
    while let word = words.next() {
      switch word {
      case .option("-f"), .option("--follow"): follows = true
      case .option("--json"): writesJSON = true
      case .option("-h"), .option("--help"): wantsHelp = true
      case .option(let name) where ["-n", "--top"].contains(name):
        top = try words.value(of: name, "a number from 1 to 1000") { word in
          Int(word).flatMap { (1...1000).contains($0) ? $0 : nil }
        }
      case .option("--filter"):
        let source = try words.value(of: "--filter", "words") { $0 }
        do throws(LineFilter.Misuse) {
          filter = try LineFilter(source)
        } catch {
          throw Misuse(message: "--filter: \(error.message)")
        }
      case .option(let name): throw CommandLineWords.unknown(name)
      case .operand(let file): files.append(file)
      }
    }
    if files.isEmpty && !wantsHelp {
      throw Misuse(message: "needs a log file, or - for standard input")
    }
  }

  static let usage = """
    usage: LogWatch [--follow] [--json] [--top N] [--filter WORDS] FILE...
           LogWatch [--json] [--top N] [--filter WORDS] -

      -f, --follow     keep reading when the files grow, are truncated or are replaced, like tail -F;
                       without a terminal, print the new counts once per second
      --json           write one JSON object instead of a summary
      -n, --top N      show the N most frequent keys (10)
      --filter WORDS   count only lines that match each kind of word: one of the status classes or
                       levels (5xx, error), one of the times of day (10:00-11:30), all instants
                       (from:2024-06-13, to:2024-06-13T12:00), and all other texts
      -h, --help       show this text

    LogWatch understands common and combined access logs, and syslog. It counts any other line by its
    first word. A line that is not text, or is longer than 64 KiB, counts as malformed. Times are shown
    as they are in the log.
    Keys: ? lists the keys, and q quits. Without a terminal window, q and Enter quit.
    Exit code: 0 for success, 64 for an invalid command line, 66 if a log cannot be read, 74 if the
    output cannot be written.

    """
}

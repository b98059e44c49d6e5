/// What the command line asks for.
struct Options: Equatable {
  /// A command line that cannot be understood.
  struct Misuse: Error, Equatable {
    var message: String
  }

  var files: [String] = []
  var follows = false
  var writesJSON = false
  var top = 10
  var filter = LineFilter.none
  var wantsHelp = false

  init(_ arguments: some Collection<String>) throws(Misuse) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-f", "--follow": follows = true
      case "--json": writesJSON = true
      case "-h", "--help": wantsHelp = true
      case "-n", "--top":
        let value = rest.popFirst() ?? "nothing"
        guard let number = Int(value), (1...1000).contains(number) else {
          throw Misuse(message: "\(argument): needs a number from 1 to 1000; got \(value)")
        }
        top = number
      case "--filter":
        do throws(LineFilter.Misuse) {
          filter = try LineFilter(rest.popFirst() ?? "")
        } catch {
          throw Misuse(message: "--filter: \(error.message)")
        }
      case "--":
        files += rest
        rest = rest[rest.endIndex...]
      case _ where argument.hasPrefix("-") && argument != "-":
        throw Misuse(message: "unknown option \(argument)")
      default: files.append(argument)
      }
    }
    if files.isEmpty && !wantsHelp {
      throw Misuse(message: "needs a log file, or - for standard input")
    }
  }

  static let usage = """
    usage: LogWatch [--follow] [--json] [--top N] [--filter WORDS] FILE...
           LogWatch [--json] [--top N] [--filter WORDS] -

      -f, --follow     keep reading as the files grow, are truncated or replaced, like tail -F
      --json           write one JSON object instead of a summary
      -n, --top N      show the N busiest keys (10)
      --filter WORDS   count only lines for which all words hold: 5xx or error is a status class or a
                       level, 10:00-11:30 a time of day, from:2024-06-13 and to:2024-06-13T12:00 are
                       instants, and any other word has to stand in the line
      -h, --help       show this

    Knows the common and combined access logs, nginx error logs, syslog, dpkg.log and JSON lines; any
    other line counts by its first word, and what is no text or longer than 64 KiB as malformed. A file
    that ends in .gz is read through gzip. Times are shown as the log writes them.
    Keys: arrows, page up and page down scroll, tab shows clients, agents and referrers, / filters,
    space pauses, ^Z suspends, q ends.
    Exit code: 0, 64 for a command line it does not understand, 66 for a log it cannot read,
    74 when its output cannot be written.

    """
}

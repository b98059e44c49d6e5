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
    usage: LogWatch [--follow] [--json] [--top N] FILE...
           LogWatch [--json] [--top N] -

      -f, --follow   keep reading as the files grow, are truncated or replaced, like tail -F
      --json         write one JSON object instead of a summary
      -n, --top N    show the N busiest keys (10)
      -h, --help     show this

    Knows the common and combined access logs, syslog, dpkg.log and JSON lines; any other line counts
    by its first word, and what is no text or longer than 64 KiB as malformed.
    Keys: up and down scroll, space pauses, q ends. Times are shown as the log writes them.
    Exit code: 0, 64 for a command line it does not understand, 66 for a log it cannot read,
    74 when its output cannot be written.

    """
}

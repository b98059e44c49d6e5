import WebServer

/// The options of the command line.
struct Arguments: Equatable {
  static let usage = """
    usage: LiveTop [--port N] [--host ADDRESS] [--every SECONDS] [--tabs N] [--of-one N]
                   [--ps] [--simulate SEED] [--readings N]

      --port N         the port to listen on, or 0 for any free port; default: 8642
      --host ADDRESS   listen on this address of the machine, so that other machines can see its processes;
                       by default, only this machine can see them
      --every SECONDS  the time between two readings; default: 1
      --tabs N         the maximum number of open pages; default: 100
      --of-one N       the maximum number of connections from one address; default: three quarters of the
                       pages. Behind a proxy, all pages have the same address, so use 2 × --tabs + 16
      --ps             run ps, even if /proc exists
      --simulate SEED  show a simulated machine; the same seed gives the same machine
      --readings N     stop after this number of readings; the page stays available
      -h, --help       show this text

    The program prints the page's address. Ctrl-C stops it.

    """

  var listen = ListenOptions(port: 8_642, tabs: 100)
  var interval: Duration = .seconds(1)
  var asksPs = false
  var seed: UInt64?
  var readings: Int?
  var wantsHelp = false

  init(_ commandLine: some Sequence<String>) throws(OptionWords.Misuse) {
    var words = OptionWords(commandLine)
    while let word = words.next() {
      if try listen.read(word, from: &words) { continue }
      switch word {
      case "--every": interval = try words.seconds(of: word)
      case "--ps": asksPs = true
      case "--simulate": seed = try words.seed(of: word)
      case "--readings":
        readings = try words.value(of: word, "a number above 0") { text in
          Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
      case "-h", "--help": wantsHelp = true
      default: throw OptionWords.Misuse(message: "\(word): unexpected argument")
      }
    }
  }
}

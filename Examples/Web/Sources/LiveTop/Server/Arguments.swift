import WebServer

/// The options of the command line.
struct Arguments: Equatable {
  static let usage = """
    usage: LiveTop [--port N] [--host ADDRESS] [--every SECONDS] [--tabs N] [--of-one N]
                   [--ps] [--simulate SEED] [--readings N]

      --port N         where to listen; 8642, or 0 for any that is free
      --host ADDRESS   listen at this address of the machine, so that others can see its processes;
                       without it, only this machine can
      --every SECONDS  the time between two readings; 1
      --tabs N         how many pages may be open at once; 100
      --of-one N       how many connections one address may have; three quarters of the pages.
                       Behind a proxy all pages have its address: give all there are, 2 × --tabs + 16
      --ps             ask ps, also where there is /proc
      --simulate SEED  show a machine that does not exist, the same one for one seed
      --readings N     stop reading after so many; the page stays
      -h, --help       show this

    It prints the page's address. Ctrl-C ends it.

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
      default: throw OptionWords.Misuse(message: "\(word): not expected")
      }
    }
  }
}

import WebServer

/// What the program was asked for.
struct Arguments: Equatable {
  /// A command line that cannot be understood.
  struct Misuse: Error, Equatable {
    var message: String
  }

  static let usage = """
    usage: LiveTop [--port N] [--host ADDRESS] [--every SECONDS] [--tabs N] [--of-one N]
                   [--ps] [--simulate SEED] [--readings N]

      --port N         where to listen; 8642, or 0 for any that is free
      --host ADDRESS   listen at this address of the machine, so that others can see its processes;
                       without it, nobody but this machine can
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

  var port: UInt16 = 8_642
  var host = Address.loopback
  var interval: Duration = .seconds(1)
  var tabs = 100
  var connectionsOfOne: Int?
  var asksPs = false
  var seed: UInt64?
  var readings: Int?
  var wantsHelp = false

  init(_ words: some Sequence<String>) throws(Misuse) {
    var words = Array(words)[...]
    func value<Value>(
      of option: String, _ kind: String, _ convert: (String) -> Value?
    ) throws(Misuse) -> Value {
      let word = words.popFirst()
      guard let word, let value = convert(word) else {
        throw Misuse(message: "\(option): needs \(kind); got \(word ?? "nothing")")
      }
      return value
    }
    func number(of option: String, _ range: ClosedRange<Int>) throws(Misuse) -> Int {
      try value(of: option, "a number, \(range.lowerBound) to \(range.upperBound)") { text in
        Int(text).flatMap { range.contains($0) ? $0 : nil }
      }
    }
    while let word = words.popFirst() {
      switch word {
      case "--port": port = try value(of: word, "a port, 0 to 65535") { UInt16($0) }
      case "--host":
        host = try value(of: word, "one address of this machine, in numbers") { Address($0) }
      case "--every":
        interval = try value(of: word, "seconds, 0.01 to 3600") { text in
          Double(text).flatMap { (0.01...3_600).contains($0) ? .seconds($0) : nil }
        }
      case "--tabs": tabs = try number(of: word, 1...10_000)
      case "--of-one": connectionsOfOne = try number(of: word, 1...20_016)
      case "--ps": asksPs = true
      case "--simulate": seed = try value(of: word, "a seed, a whole number") { UInt64($0) }
      case "--readings":
        readings = try value(of: word, "a number above 0") { text in
          Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
      case "-h", "--help": wantsHelp = true
      default: throw Misuse(message: "\(word): not expected")
      }
    }
  }
}

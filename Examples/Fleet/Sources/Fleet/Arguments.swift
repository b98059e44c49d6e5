import Foundation
import WebServer

/// What the program was asked for.
struct Arguments {
  /// A command line that cannot be understood.
  struct Misuse: Error {
    var message: String
  }

  enum Job {
    case publish
    case show
    case forget
    case help
  }

  static let usage = """
    usage: Fleet publish --log OPTIONS [--name NAME] [--every SECONDS] [--lease SECONDS]
                         [--simulate SEED] [--processes N] [--machines N]
           Fleet show --log OPTIONS [--port N] [--host ADDRESS] [--tabs N] [--of-one N] [--keep DAYS]
           Fleet forget NAME --log OPTIONS

    publish writes the processes of this machine into a log in PostgreSQL; show is a gateway, which shows all
    logs in a page. Start as many of either as you like. forget deletes a log that nobody writes.

      --log OPTIONS    where the logs are, as libpq takes it: service=fleet, or postgresql://host/database;
                       a password belongs in a service file or in PGPASSFILE
      --name NAME      the log: letters, digits, . _ -, at most 64; the machine's name
      --every SECONDS  the time between two readings; 1
      --lease SECONDS  after how long a silence another publisher of this name takes over; 5
      --simulate SEED  publish a machine that does not exist, the same one for one seed
      --processes N    with so many processes; 68
      --machines N     so many of these, NAME-1 and on, that begin by turns within the first reading
      --port N         where to listen; 8650, or 0 for any that is free
      --host ADDRESS   listen at this address of the machine; without it, nobody but this machine can come
      --tabs N         how many pages may be open at once; 500
      --of-one N       how many connections one address may have; three quarters of the pages.
                       Behind a proxy all pages have its address: give all there are, 2 × --tabs + 16
      --keep DAYS      delete a log whose machine has given no sign for so long; 7
      -h, --help       show this

    Ctrl-C ends it.

    """

  var job = Job.help
  var log = ""
  var name = Self.machineName
  var interval: Duration = .seconds(1)
  var lease: Duration = .seconds(5)
  var seed: UInt64?
  var processes = 68
  var machines: Int?
  var port: UInt16 = 8_650
  var host = Address.loopback
  var tabs = 500
  var connectionsOfOne: Int?
  var age: Duration = .seconds(7 * 86_400)

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
    func seconds(of option: String) throws(Misuse) -> Duration {
      try value(of: option, "seconds, 0.01 to 3600") { text in
        Double(text).flatMap { (0.01...3_600).contains($0) ? .seconds($0) : nil }
      }
    }
    func number(of option: String, _ range: ClosedRange<Int>) throws(Misuse) -> Int {
      try value(of: option, "a number, \(range.lowerBound) to \(range.upperBound)") { text in
        Int(text).flatMap { range.contains($0) ? $0 : nil }
      }
    }
    let job = words.popFirst()
    switch job {
    case "publish": self.job = .publish
    case "show": self.job = .show
    case "forget":
      self.job = .forget
      // Any name that stands in the table, also one that no publisher takes.
      name = try value(of: "forget", "the name of a log") { $0 }
    case "-h", "--help": return
    default: throw Misuse(message: "needs publish, show or forget; got \(job ?? "nothing")")
    }
    while let word = words.popFirst() {
      switch (self.job, word) {
      case (_, "-h"), (_, "--help"):
        self.job = .help
        return
      case (_, "--log"): log = try value(of: word, "connection options of libpq") { $0 }
      case (.publish, "--name"):
        name = try value(of: word, "letters, digits, . _ - of at most 64") {
          LogName.isOne($0) ? $0 : nil
        }
      case (.publish, "--every"): interval = try seconds(of: word)
      case (.publish, "--lease"): lease = try seconds(of: word)
      case (.publish, "--simulate"):
        seed = try value(of: word, "a seed, a whole number") { UInt64($0) }
      case (.publish, "--processes"): processes = try number(of: word, 28...10_000)
      case (.publish, "--machines"): machines = try number(of: word, 1...10_000)
      case (.show, "--port"): port = try value(of: word, "a port, 0 to 65535") { UInt16($0) }
      case (.show, "--host"):
        host = try value(of: word, "one address of this machine, in numbers") { Address($0) }
      case (.show, "--tabs"): tabs = try number(of: word, 1...10_000)
      case (.show, "--of-one"): connectionsOfOne = try number(of: word, 1...20_016)
      case (.show, "--keep"):
        age = try value(of: word, "days, 0.001 to 10000") { text in
          Double(text).flatMap { (0.001...10_000).contains($0) ? .seconds($0 * 86_400) : nil }
        }
      default: throw Misuse(message: "\(word): not expected")
      }
    }
    guard !log.isEmpty else { throw Misuse(message: "--log: needs connection options of libpq") }
    guard machines == nil || seed != nil else {
      throw Misuse(message: "--machines: needs --simulate, for one machine is not many")
    }
  }

  /// The machine's name, with `-` for what cannot stand in a log's.
  private static var machineName: String {
    let name = ProcessInfo.processInfo.hostName.prefix(64).map { LogName.isOne("\($0)") ? $0 : "-" }
    return name.isEmpty ? "machine" : String(name)
  }
}

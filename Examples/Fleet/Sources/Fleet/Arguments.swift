import Foundation
import WebServer

/// The arguments of the command line.
struct Arguments {
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

    publish writes the processes of this machine to a log in PostgreSQL. show is a gateway that shows all logs
    on a page. You can start any number of both. forget deletes a log that has no writer.

      --log OPTIONS    the libpq connection to the logs: service=fleet, or postgresql://host/database;
                       put a password in a service file or in the file that PGPASSFILE names
      --name NAME      the log's name: up to 64 letters, digits, and . _ -; default: the machine's name
      --every SECONDS  the time between two readings; default: 1
      --lease SECONDS  the silence after which another publisher of this name takes over; default: 5
      --simulate SEED  publish a simulated machine; the same seed gives the same machine
      --processes N    the number of simulated processes; default: 68
      --machines N     the number of simulated machines, NAME-1 to NAME-N, which start one after another
      --port N         the port to listen on, or 0 for any free port; default: 8650
      --host ADDRESS   listen on this address of the machine; by default, only this machine can connect
      --tabs N         the maximum number of open pages; default: 500
      --of-one N       the maximum number of connections from one address; default: three quarters of the
                       pages. Behind a proxy, all pages have the same address, so use 2 × --tabs + 16
      --keep DAYS      delete a log whose machine has been silent for this long; default: 7
      -h, --help       show this text

    Ctrl-C stops the program.

    """

  var job = Job.help
  var log = ""
  var name = Self.machineName
  var interval: Duration = .seconds(1)
  var lease: Duration = .seconds(5)
  var seed: UInt64?
  var processes = 68
  var machines: Int?
  var listen = ListenOptions(port: 8_650, tabs: 500)
  var age: Duration = .seconds(7 * 86_400)

  init(_ commandLine: some Sequence<String>) throws(OptionWords.Misuse) {
    var words = OptionWords(commandLine)
    let job = words.next()
    switch job {
    case "publish": self.job = .publish
    case "show": self.job = .show
    case "forget":
      self.job = .forget
      // Accept any name in the table, even one that no publisher accepts.
      name = try words.value(of: "forget", "the name of a log") { $0 }
    case "-h", "--help": return
    default:
      throw OptionWords.Misuse(message: "needs publish, show or forget; got \(job ?? "nothing")")
    }
    while let word = words.next() {
      if self.job == .show, try listen.read(word, from: &words) { continue }
      switch (self.job, word) {
      case (_, "-h"), (_, "--help"):
        self.job = .help
        return
      case (_, "--log"): log = try words.value(of: word, "connection options of libpq") { $0 }
      case (.publish, "--name"):
        name = try words.value(of: word, "at most 64 letters, digits, . _ -") {
          LogName.isOne($0) ? $0 : nil
        }
      case (.publish, "--every"): interval = try words.seconds(of: word)
      case (.publish, "--lease"): lease = try words.seconds(of: word)
      case (.publish, "--simulate"):
        seed = try words.seed(of: word)
      case (.publish, "--processes"): processes = try words.number(of: word, 28...10_000)
      case (.publish, "--machines"): machines = try words.number(of: word, 1...10_000)
      case (.show, "--keep"):
        age = try words.value(of: word, "a number of days from 0.001 to 10000") { text in
          Double(text).flatMap { (0.001...10_000).contains($0) ? .seconds($0 * 86_400) : nil }
        }
      default: throw OptionWords.Misuse(message: "\(word): unexpected argument")
      }
    }
    guard !log.isEmpty else {
      throw OptionWords.Misuse(message: "--log: needs connection options of libpq; got nothing")
    }
    guard machines == nil || seed != nil else {
      throw OptionWords.Misuse(
        message:
          "--machines: needs --simulate, because only a simulation has several machines")
    }
  }

  /// The machine's name, in which `-` replaces characters that a log's name cannot contain.
  private static var machineName: String {
    let name = ProcessInfo.processInfo.hostName.prefix(64).map { LogName.isOne("\($0)") ? $0 : "-" }
    return name.isEmpty ? "machine" : String(name)
  }
}

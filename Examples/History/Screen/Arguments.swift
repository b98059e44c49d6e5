import Foundation

/// What the program was started with.
struct Arguments: Sendable {
  struct Failure: Error { let reason: String }

  static let usage = """
    Usage: History [--timeout SECONDS] [--state FILE] [ADDRESS]

      ADDRESS            where the history is, for example http://127.0.0.1:8000/
                         without it, the one that comes with the program
      --timeout SECONDS  how long an answer may take; 10 by default
      --state FILE       keeps what is followed for the next run
    """

  var address: URL?
  var timeout = Duration.seconds(10)
  var state: URL?

  init(_ words: some Sequence<String>) throws(Failure) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--timeout":
        guard let seconds = words.next().flatMap(Double.init), seconds > 0 else {
          throw Failure(reason: "--timeout needs a number of seconds above 0")
        }
        timeout = .seconds(seconds)
      case "--state":
        guard let path = words.next() else { throw Failure(reason: "--state needs a file") }
        state = URL(filePath: path)
      default:
        guard address == nil, let url = URL(string: word), let scheme = url.scheme,
          ["http", "https"].contains(scheme), url.host != nil
        else { throw Failure(reason: "\(word) is not the address of a service") }
        address = url
      }
    }
  }
}

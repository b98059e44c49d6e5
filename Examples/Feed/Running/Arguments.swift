/// What the program was asked for.
struct Arguments: Equatable {
  static let usage = """
    Usage: Feed FILE [--script KEYS]

      FILE            the feed, as JSON; Examples/Feed/Samples/feed.json is one
      --script KEYS   play the keys in a file without a terminal, and print the last screen

    """

  struct Failure: Error, Equatable {
    let reason: String
  }

  var feed: String
  var script: String?

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var files: [String] = []
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--script" {
        guard let file = rest.popFirst() else { throw Failure(reason: "--script needs a file") }
        script = file
      } else if argument.hasPrefix("-") {
        throw Failure(reason: "\(argument) is not an option")
      } else {
        files.append(argument)
      }
    }
    guard files.count == 1 else { throw Failure(reason: "one file is needed, got \(files.count)") }
    feed = files[0]
  }
}

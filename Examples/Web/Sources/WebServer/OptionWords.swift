/// The words of a command line, which you remove from left to right.
public struct OptionWords {
  /// An error in the command line.
  public struct Misuse: Error, Equatable {
    /// A message that names the option, the value that it needs, and the value that it got.
    public var message: String

    /// Creates an error with its message.
    public init(message: String) {
      self.message = message
    }
  }

  private var rest: ArraySlice<String>

  /// Creates the words from a program's arguments, which must not include the program's name.
  public init(_ words: some Sequence<String>) {
    rest = Array(words)[...]
  }

  /// Removes and returns the first word.
  public mutating func next() -> String? { rest.popFirst() }

  /// Removes and returns an option's value.
  ///
  /// - Parameters:
  ///   - option: The option, for the error message.
  ///   - kind: A description of the value that the option needs, for the error message.
  ///   - convert: Returns the value of a word, or `nil` if the word is invalid.
  /// - Returns: The converted value.
  /// - Throws: ``Misuse`` if the word is missing or `convert` returns `nil`.
  public mutating func value<Value>(
    of option: String, _ kind: String, _ convert: (String) -> Value?
  ) throws(Misuse) -> Value {
    let word = next()
    guard let word, let value = convert(word) else {
      throw Misuse(message: "\(option): needs \(kind); got \(word ?? "nothing")")
    }
    return value
  }

  /// Removes and returns an option's value, which must be a number in a range.
  public mutating func number(
    of option: String, _ range: ClosedRange<Int>
  ) throws(Misuse) -> Int {
    try value(of: option, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Removes and returns an option's value, which must be a time from 10 ms to an hour.
  public mutating func seconds(of option: String) throws(Misuse) -> Duration {
    try value(of: option, "a number of seconds from 0.01 to 3600") { text in
      Double(text).flatMap { (0.01...3_600).contains($0) ? .seconds($0) : nil }
    }
  }

  /// Removes and returns an option's value, which must be a seed.
  public mutating func seed(of option: String) throws(Misuse) -> UInt64 {
    try value(of: option, "a whole number of at least 0") { UInt64($0) }
  }
}

/// The address and port of a server, and its limits.
public struct ListenOptions: Equatable, Sendable {
  /// The port, or 0 for any free port.
  public var port: UInt16
  /// The local address on which the server listens.
  public var host = Address.loopback
  /// The maximum number of open pages.
  public var tabs: Int
  /// The maximum number of connections from one address; `nil` for the default share.
  public var connectionsOfOne: Int?

  /// Creates the default options.
  public init(port: UInt16, tabs: Int) {
    (self.port, self.tabs) = (port, tabs)
  }

  /// Reads the value of an option, if the option belongs to this type.
  ///
  /// - Returns: Whether the option belongs to this type.
  /// - Throws: An error if the value is invalid.
  public mutating func read(
    _ option: String, from words: inout OptionWords
  ) throws(OptionWords.Misuse) -> Bool {
    switch option {
    case "--port": port = try words.value(of: option, "a port from 0 to 65535") { UInt16($0) }
    case "--host":
      host = try words.value(of: option, "a numeric address of this machine") { Address($0) }
    case "--tabs": tabs = try words.number(of: option, 1...10_000)
    case "--of-one": connectionsOfOne = try words.number(of: option, 1...20_016)
    default: return false
    }
    return true
  }

  /// The limits of the server that follow from these options.
  public var limits: Limits { Limits(pages: tabs, ofOne: connectionsOfOne) }
}

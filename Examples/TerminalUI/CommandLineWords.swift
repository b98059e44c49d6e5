/// Parses the command lines of the terminal programs.
///
/// ```swift
/// var words = CommandLineWords(CommandLine.arguments.dropFirst())
/// while let word = words.next() {
///   switch word {
///   case .option("--top"): top = try words.value(of: "--top", "a number") { Int($0) }
///   case .option(let name): throw CommandLineWords.unknown(name)
///   case .operand(let file): files.append(file)
///   }
/// }
/// ```
package struct CommandLineWords {
  package enum Word: Hashable, Sendable {
    /// A word that begins with a dash.
    case option(String)
    /// Any other word, a single dash, and every word after `--`.
    case operand(String)
  }

  /// The error for an invalid command line.
  package struct Misuse: Error, Hashable {
    package var message: String

    package init(message: String) {
      self.message = message
    }
  }

  private var rest: ArraySlice<String>
  private var areOptionsOver = false

  package init(_ words: some Sequence<String>) {
    rest = Array(words)[...]
  }

  package mutating func next() -> Word? {
    guard let word = rest.popFirst() else { return nil }
    if areOptionsOver || word == "-" || !word.hasPrefix("-") { return .operand(word) }
    guard word == "--" else { return .option(word) }
    areOptionsOver = true
    return next()
  }

  /// Consumes the value of an option.
  ///
  /// - Parameters:
  ///   - option: The option, for the error message.
  ///   - kind: A description of the expected value for the error message, such as "a number above 0".
  ///   - convert: Returns the value of a word, or `nil` if the word is invalid.
  /// - Returns: The value.
  /// - Throws: `Misuse` if the word is missing or `convert` returns `nil`.
  package mutating func value<Value>(
    of option: String, _ kind: String, _ convert: (String) -> Value?
  ) throws(Misuse) -> Value {
    let word = rest.popFirst()
    guard let word, let value = convert(word) else {
      throw Misuse(message: "\(option): needs \(kind); got \(word ?? "nothing")")
    }
    return value
  }

  package static func unknown(_ option: String) -> Misuse {
    Misuse(message: "unknown option \(option)")
  }
}

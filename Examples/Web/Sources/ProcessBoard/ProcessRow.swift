public import AsyncDiff

/// A process as the page shows it.
///
/// Processor usage and memory are rounded to the given tenths, so that smaller changes do not count as changes.
public struct ProcessRow: Diffable, Identifiable, Equatable, Sendable, Codable {
  /// The identifier of the process.
  public var id: ProcessID
  /// The name, which the process sets itself and which can therefore contain anything.
  public var name: String
  /// The beginning of the command line.
  public var command: String
  /// The processor usage, in tenths of a percent of one processor.
  public var cpu: Int
  /// The resident memory, in tenths of a mebibyte.
  public var memory: Int
}

/// In JSON, an identifier is one word, `number.start`, which the page uses as a key.
extension ProcessID: Codable, CustomStringConvertible {
  /// The number and the start time, such as `4711.1234`.
  public var description: String { "\(number).\(start)" }

  /// Parses the text of ``description``; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let start = Int(parts[1]) else {
      return nil
    }
    self.init(number: number, start: start)
  }

  /// Decodes the text of ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ProcessID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "needs a process, NUMBER.START; got \(text.prefix(100))")
    }
    self = id
  }

  /// Encodes the text of ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

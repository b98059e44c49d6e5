public import AsyncDiff

/// A process as the page shows it, with what changes too little to be seen left out.
public struct ProcessRow: Diffable, Identifiable, Equatable, Sendable, Codable {
  /// Which process it is.
  public var id: ProcessID
  /// Set by the process itself: it may hold anything.
  public var name: String
  /// The beginning of the command line.
  public var command: String
  /// In tenths of a percent of one processor.
  public var cpu: Int
  /// In tenths of a mebibyte.
  public var memory: Int
}

/// In JSON an identity is one word, `number.start`: a page takes it for a key as it is.
extension ProcessID: Codable, CustomStringConvertible {
  /// Number and start, as `4711.1234`.
  public var description: String { "\(number).\(start)" }

  /// Reads what ``description`` gives; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let start = Int(parts[1]) else {
      return nil
    }
    self.init(number: number, start: start)
  }

  /// Decodes the text that ``description`` gives.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ProcessID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a process is NUMBER.START; got \(text.prefix(100))")
    }
    self = id
  }

  /// Encodes the text that ``description`` gives.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

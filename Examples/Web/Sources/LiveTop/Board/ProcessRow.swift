import AsyncDiff

/// A process as the page shows it, with what changes too little to be seen left out.
struct ProcessRow: Diffable, Identifiable, Equatable, Codable {
  var id: ProcessID
  var name: String
  /// The beginning of the command line.
  var command: String
  /// In tenths of a percent of one processor.
  var cpu: Int
  /// In tenths of a mebibyte.
  var memory: Int
}

/// In JSON an identity is one word, `number.start`: a page takes it for a key as it is.
extension ProcessID: Codable, CustomStringConvertible {
  var description: String { "\(number).\(start)" }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let start = Int(parts[1]) else {
      return nil
    }
    self.init(number: number, start: start)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ProcessID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a process is NUMBER.START; got \(text.prefix(100))")
    }
    self = id
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A JSON value that knows the line it stands on.
struct JSON: Equatable {
  enum Value: Equatable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
  }

  let line: Int
  let value: Value
}

/// What is wrong with a file, and on which line.
struct FeedFileError: Error, Equatable, CustomStringConvertible {
  let line: Int
  let reason: String

  var description: String { "line \(line): \(reason)" }
}

extension JSON {
  /// What a value is called in a message.
  private var kind: String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }

  private func mismatch(_ expected: String, _ name: String) -> FeedFileError {
    FeedFileError(line: line, reason: "\(name) must be \(expected), not \(kind)")
  }

  func object(_ name: String) throws(FeedFileError) -> [String: JSON] {
    guard case .object(let members) = value else { throw mismatch("an object", name) }
    return members
  }

  func array(_ name: String) throws(FeedFileError) -> [JSON] {
    guard case .array(let elements) = value else { throw mismatch("an array", name) }
    return elements
  }

  func string(_ name: String) throws(FeedFileError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string", name) }
    return text
  }

  func count(_ name: String) throws(FeedFileError) -> Int {
    guard case .number(let number) = value, let count = Int(exactly: number), count >= 0 else {
      throw mismatch("a whole number, 0 or more", name)
    }
    return count
  }

  /// A member that has to be there.
  func member(_ key: String, of name: String) throws(FeedFileError) -> JSON {
    guard let member = try object(name)[key] else {
      throw FeedFileError(line: line, reason: "\(name) has no \"\(key)\"")
    }
    return member
  }
}

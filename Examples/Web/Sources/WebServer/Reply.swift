internal import Foundation

/// What a request is answered with.
public enum Reply: Sendable {
  case content(Content)
  /// Server-sent events, for as long as both sides want.
  case events(EventStream)

  /// A whole answer.
  public struct Content: Sendable {
    /// The number of HTTP.
    public var status: Int
    /// The content type.
    public var type: String
    /// What is sent.
    public var body: [UInt8]
    /// What is said beside it.
    public var headers: [String: String]
  }

  /// Bytes of a type.
  public static func content(
    _ body: [UInt8], type: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(Content(status: status, type: type, body: body, headers: headers))
  }

  /// There is nothing to say.
  public static let done = content([], type: "text/plain", status: 204)

  /// A value as JSON.
  public static func json(_ value: some Encodable) -> Reply {
    guard let bytes = try? JSONEncoder().encode(value) else {
      return .text("not to be encoded", status: 500)
    }
    return .content(Array(bytes), type: "application/json")
  }

  /// A line of text, for errors and short answers.
  public static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(
      Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status,
      headers: headers)
  }
}

internal import Foundation

/// The answer to a request.
public enum Reply: Sendable {
  case content(Content)
  /// Server-sent events, until one side ends them.
  case events(EventStream)

  /// A complete answer.
  public struct Content: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The content type.
    public var type: String
    /// The body.
    public var body: [UInt8]
    /// Further headers.
    public var headers: [String: String]
  }

  /// An answer with bytes of a content type.
  public static func content(
    _ body: [UInt8], type: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(Content(status: status, type: type, body: body, headers: headers))
  }

  /// An empty answer.
  public static let done = content([], type: "text/plain", status: 204)

  /// A value as JSON.
  public static func json(_ value: some Encodable) -> Reply {
    guard let bytes = try? JSONEncoder().encode(value) else {
      return .text("cannot be encoded", status: 500)
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

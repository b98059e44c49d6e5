internal import Foundation

/// The response to a request.
public enum Reply: Sendable {
  case content(Content)
  /// Server-sent events, until one side ends the connection.
  case events(EventStream)

  /// A complete response.
  public struct Content: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The content type of the body.
    public var type: String
    /// The bytes of the body.
    public var body: [UInt8]
    /// Additional headers.
    public var headers: [String: String]
  }

  /// Returns a response with bytes and their content type.
  public static func content(
    _ body: [UInt8], type: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(Content(status: status, type: type, body: body, headers: headers))
  }

  /// An empty response with the status 204.
  public static let done = content([], type: "text/plain", status: 204)

  /// Returns a response with a value as JSON.
  public static func json(_ value: some Encodable) -> Reply {
    guard let bytes = try? JSONEncoder().encode(value) else {
      return .text("the value cannot be encoded", status: 500)
    }
    return .content(Array(bytes), type: "application/json")
  }

  /// Returns a response with a line of text, for errors and short messages.
  public static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(
      Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status,
      headers: headers)
  }
}

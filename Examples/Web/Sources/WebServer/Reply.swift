/// What a request is answered with.
package enum Reply: Sendable {
  case content(Content)
  /// Server-sent events, for as long as both sides want.
  case events(EventStream)

  package struct Content: Sendable {
    package var status: Int
    package var type: String
    package var body: [UInt8]
    package var headers: [String: String]
  }

  package static func content(
    _ body: [UInt8], type: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(Content(status: status, type: type, body: body, headers: headers))
  }

  /// There is nothing to say.
  package static let done = content([], type: "text/plain", status: 204)

  /// A line of text, for errors and short answers.
  package static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Reply {
    .content(
      Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status,
      headers: headers)
  }
}

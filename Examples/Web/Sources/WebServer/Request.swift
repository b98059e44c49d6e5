/// A complete request that was allowed.
public struct Request: Sendable {
  /// The allowed methods.
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// The method.
  public var method: Method
  /// The path, decoded, from its first slash.
  public var path: String
  /// The decoded query parameters; if a name appears twice, the first value counts.
  public var query: [String: String]
  /// The headers by their names in lower case; if a name appears twice, the first value counts.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]

  /// Creates a request from its parts.
  public init(
    _ method: Method, _ path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

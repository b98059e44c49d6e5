/// A complete request that has passed the server's checks.
public struct Request: Sendable {
  /// The allowed methods.
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// The method; the server refuses a request with any other method.
  public var method: Method
  /// The decoded path, with its first slash.
  public var path: String
  /// The decoded query parameters.
  ///
  /// If a name appears twice, the first value counts.
  public var query: [String: String]
  /// The headers by their lowercase names.
  ///
  /// If a name appears twice, the first value counts.
  public var headers: [String: String]
  /// The body, which is empty if the request has none.
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

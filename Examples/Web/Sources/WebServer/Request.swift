/// A request that has arrived whole and was let through.
public struct Request: Sendable {
  /// What is let through.
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// What is asked for.
  public var method: Method
  /// The path, decoded, from its first slash.
  public var path: String
  /// The parameters after the question mark, decoded; of two with one name the first counts.
  public var query: [String: String]
  /// The headers by their names in lower case; of two with one name the first counts.
  public var headers: [String: String]
  /// What came with it.
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

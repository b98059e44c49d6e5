/// A request that has arrived whole and was let through.
package struct Request: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  package var method: Method
  /// The path, decoded, from its first slash.
  package var path: String
  /// The parameters after the question mark, decoded; of two with one name the first counts.
  package var query: [String: String]
  /// The headers by their names in lower case; of two with one name the first counts.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(
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

internal import CMicroHTTPD

/// A request that is arriving.
///
/// Only the server's thread uses it.
final class Exchange {
  private(set) var request: Request
  /// The name of a security-relevant header that the request contains twice; `nil` if there is none.
  ///
  /// The server refuses the request, because a proxy in front of the server may have used the other of the two values.
  let repeated: String?
  private let limit: Int

  /// Reads the head of a request; `nil` for an unknown method.
  init?(_ connection: OpaquePointer, method: String, path: String, limit: Int) {
    guard let method = Request.Method(rawValue: method) else { return nil }
    self.limit = limit
    request = Request(method, path)
    let headers = unsafe Self.values(.HEADER_KIND, of: connection, lowercased: true)
    (request.headers, repeated) = (headers.values, headers.repeated.min())
    request.query = unsafe Self.values(.GET_ARGUMENT_KIND, of: connection, lowercased: false).values
  }

  /// Whether the body is within the limit, according to the `Content-Length` header; `true` without that header.
  var announcesFittingBody: Bool {
    guard let length = request.headers["content-length"] else { return true }
    return Int(length).map { $0 <= limit } ?? false
  }

  /// Appends a part of the body; returns `false` if the body becomes too long.
  func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard request.body.count + bytes.count <= limit else { return false }
    unsafe request.body.append(contentsOf: bytes)
    return true
  }

  private final class Values {
    static let single: Set = ["host", "origin", "sec-fetch-site", "content-length"]
    var values: [String: String] = [:]
    var repeated: Set<String> = []
    let lowercased: Bool

    init(lowercased: Bool) {
      self.lowercased = lowercased
    }

    func add(_ text: String, for name: String) {
      let name = lowercased ? name.lowercased() : name
      if values[name] == nil {
        values[name] = text
      } else if Self.single.contains(name) {
        repeated.insert(name)
      }
    }
  }

  private static func values(
    _ kind: MHD_ValueKind, of connection: OpaquePointer, lowercased: Bool
  ) -> Values {
    let values = Values(lowercased: lowercased)
    unsafe MHD_get_connection_values(
      connection, kind,
      { context, _, key, value in
        guard let context = unsafe context, let name = unsafe key else { return .YES }
        let values = unsafe Unmanaged<Values>.fromOpaque(context).takeUnretainedValue()
        let key = unsafe String(cString: name)
        let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
        values.add(text, for: key)
        return .YES
      }, Unmanaged.passUnretained(values).toOpaque())
    return values
  }
}

/// Refuses requests from pages of other sites, which it recognizes by the headers `Host`, `Origin` and `Sec-Fetch-Site`.
///
/// Another site can make its own host name point to this machine. So a request with an unknown host name is refused, even if the
/// connection comes from this machine.
public struct HostGuard: Sendable {
  private let names: Set<String>

  /// - Parameter name: An additional name of the server, besides the names of the loopback interface.
  public init(alsoCalled name: String? = nil) {
    var names: Set = ["localhost", "127.0.0.1", "[::1]"]
    if let name { names.insert(name.contains(":") ? "[\(name.lowercased())]" : name.lowercased()) }
    self.names = names
  }

  /// Returns the reason why a request with these headers is refused; `nil` if the request is allowed.
  public func refusal(of headers: [String: String]) -> String? {
    guard let host = headers["host"] else { return "the Host header is missing" }
    guard names.contains(Self.name(of: host.lowercased())) else {
      return "the Host header does not name this server"
    }
    if let origin = headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      return "the Origin header names another site"
    }
    switch headers["sec-fetch-site"] {
    case nil, "same-origin", "none": return nil
    default: return "the request comes from another site"
    }
  }

  /// Returns a host without its port.
  private static func name(of host: String) -> String {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
      let rest = host[host.index(after: end)...]
      return rest.isEmpty || isPort(rest) ? String(host[...end]) : host
    }
    guard let colon = host.firstIndex(of: ":"), isPort(host[colon...]) else { return host }
    return String(host[..<colon])
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }
}

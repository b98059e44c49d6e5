/// Refuses requests from pages of other sites, which it recognizes by `Host`, `Origin`, or the headers in
/// which the browser describes the site.
///
/// Another site can make its own name point at this machine, so an unknown name is refused even if the
/// connection comes from this machine.
public struct HostGuard: Sendable {
  private let names: Set<String>

  /// - Parameter name: A name of the server, besides those of the loopback interface.
  public init(alsoCalled name: String? = nil) {
    var names: Set = ["localhost", "127.0.0.1", "[::1]"]
    if let name { names.insert(name.contains(":") ? "[\(name.lowercased())]" : name.lowercased()) }
    self.names = names
  }

  /// Why a request with these headers is refused; `nil` if it is allowed.
  public func refusal(of headers: [String: String]) -> String? {
    guard let host = headers["host"] else { return "no Host" }
    guard names.contains(Self.name(of: host.lowercased())) else { return "another Host" }
    if let origin = headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      return "another Origin"
    }
    switch headers["sec-fetch-site"] {
    case nil, "same-origin", "none": return nil
    default: return "a request of another site"
    }
  }

  /// A host without its port.
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

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A numeric address of this machine on which a server can listen.
public struct Address: Hashable, Sendable, CustomStringConvertible {
  /// The numeric form of the address.
  public let text: String
  /// Whether the address is an IPv6 address.
  public let isIPv6: Bool

  /// The loopback address, which only this machine can reach.
  public static let loopback = Address(text: "127.0.0.1", isIPv6: false)

  private init(text: String, isIPv6: Bool) {
    self.text = text
    self.isIPv6 = isIPv6
  }

  /// - Parameter text: A numeric IPv4 or IPv6 address. A wildcard address gives `nil`, because a server accepts only requests
  ///   that name its own address.
  public init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1, four.s_addr != 0 {
      self.init(text: text, isIPv6: false)
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1,
      unsafe withUnsafeBytes(of: six, { unsafe $0.contains { $0 != 0 } })
    {
      self.init(text: text, isIPv6: true)
    } else {
      return nil
    }
  }

  /// The form of the address in a URL.
  public var description: String { isIPv6 ? "[\(text)]" : text }

  /// Calls a closure with the address as a socket address.
  func withSocketAddress<Result>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Result
  ) -> Result {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      unsafe inet_pton(AF_INET6, text, &address.sin6_addr)
      return unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    unsafe inet_pton(AF_INET, text, &address.sin_addr)
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }
}

/// The limits of a server.
public struct Limits: Sendable {
  /// The maximum number of connections.
  ///
  /// A browser keeps several connections for each page.
  public var connections: Int
  /// The maximum number of connections from one address.
  public var connectionsOfOne: Int
  /// The maximum length of a request's body, in bytes.
  public var body = 4_096
  /// The maximum length of a request's head, in bytes, which stay in memory until the connection ends.
  public var head = 16_384
  /// The time within which a complete request must arrive.
  ///
  /// An idle connection also ends after this time.
  public var arrival: Duration = .seconds(20)

  /// Creates limits for a number of pages.
  ///
  /// Each page keeps one connection for its events, and briefly uses others.
  ///
  /// ```swift
  /// Limits(pages: 100)  // 216 connections, 75 from one address
  /// Limits(pages: 100, ofOne: 216)  // behind a proxy, so all connections have one address
  /// ```
  /// - Parameters:
  ///   - pages: The number of open pages.
  ///   - ofOne: The number of connections from one address; `nil` for three quarters of the pages, but at least 8, so that no
  ///     address can use all connections.
  public init(pages: Int, ofOne: Int? = nil) {
    connections = pages * 2 + 16
    connectionsOfOne = ofOne ?? max(pages * 3 / 4, 8)
  }
}

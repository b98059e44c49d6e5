/// The limits of a server.
public struct Limits: Sendable {
  /// The number of connections; a browser keeps a few for each page.
  public var connections: Int
  /// The number of connections from one address.
  public var connectionsOfOne: Int
  /// Bytes of a request's body.
  public var body = 4_096
  /// Bytes of a request's head, which stays in memory as long as its connection.
  public var head = 16_384
  /// The time in which a complete request must arrive; a connection without a request ends then, too.
  public var arrival: Duration = .seconds(20)

  /// Creates limits for a number of pages.
  ///
  /// Each keeps a connection for its events and briefly uses others.
  ///
  /// ```swift
  /// Limits(pages: 100)  // 216 connections, 75 from one address
  /// Limits(pages: 100, ofOne: 216)  // behind a proxy, from whose address all come
  /// ```
  /// - Parameters:
  ///   - pages: The number of open pages.
  ///   - ofOne: The number of connections of one address; `nil` for three quarters of the pages, and at least 8,
  ///     so that no address can use all connections.
  public init(pages: Int, ofOne: Int? = nil) {
    connections = pages * 2 + 16
    connectionsOfOne = ofOne ?? max(pages * 3 / 4, 8)
  }
}

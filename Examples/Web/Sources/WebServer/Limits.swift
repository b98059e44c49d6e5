/// How much of the server others may use.
public struct Limits: Sendable {
  /// Connections at once; a browser keeps a few for each page.
  public var connections: Int
  /// Connections at once from one address.
  public var connectionsOfOne: Int
  /// Bytes of a request's body.
  public var body = 4_096
  /// Bytes of a request's head, which stays in memory as long as its connection.
  public var head = 16_384
  /// The time in which a request has to arrive whole; a connection without one ends then, too.
  public var arrival: Duration = .seconds(20)

  /// Room for so many pages: each keeps a connection for its events, and makes others for a moment.
  ///
  /// ```swift
  /// Limits(pages: 100)  // 216 connections, 75 from one address
  /// Limits(pages: 100, ofOne: 216)  // behind a proxy, from whose address all come
  /// ```
  /// - Parameters:
  ///   - pages: How many there are at once.
  ///   - ofOne: How many connections one address may have; nil for three quarters of the pages, and at least 8,
  ///     so that no address can take all places.
  public init(pages: Int, ofOne: Int? = nil) {
    connections = pages * 2 + 16
    connectionsOfOne = ofOne ?? max(pages * 3 / 4, 8)
  }
}

/// How much of the server others may use.
public struct Limits: Sendable {
  /// Connections at once; a browser keeps a few for each page.
  public var connections: Int
  /// Connections at once from one address; fewer than there are, where strangers can come.
  public var connectionsOfOne: Int
  /// Bytes of a request's body.
  public var body = 4_096
  /// Bytes of a request's head, which stays in memory as long as its connection.
  public var head = 16_384
  /// The time in which a request has to arrive whole; a connection without one ends then, too.
  public var arrival: Duration = .seconds(20)

  /// Everything but the connections is what it mostly is.
  public init(connections: Int) {
    self.connections = connections
    connectionsOfOne = connections
  }
}

/// How much of the server others may use.
package struct Limits: Sendable {
  /// Connections at once; a browser keeps a few for each page.
  package var connections: Int
  /// Bytes of a request's body.
  package var body = 4_096
  /// Bytes of a request's head, which stays in memory as long as its connection.
  package var head = 16_384
  /// The time in which a request has to arrive whole; a connection without one ends then, too.
  package var arrival: Duration = .seconds(20)

  package init(connections: Int) {
    self.connections = connections
  }
}

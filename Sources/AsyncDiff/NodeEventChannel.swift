/// Where nodes send what happens to them, and where listeners hear of it.
public final class NodeEventChannel: Sendable {
  /// Creates a channel of its own, as a test of a node needs it.
  public init() {}
}

/// Stores the bytes of a state across runs; the article <doc:KeepingAState> shows an implementation that uses a file.
public protocol StateStorage: Sendable {
  /// Returns the bytes that were written last, or `nil` if no bytes are stored; throws if it cannot tell.
  func read() async throws -> [UInt8]?

  /// Replaces the stored bytes completely or, if the write fails, leaves the old bytes unchanged.
  func write(_ bytes: [UInt8]) async throws

  /// Moves the stored bytes to another name, and returns that name so that it can be shown to the user.
  func setAside() async throws -> String
}

/// Stores the bytes of a state across runs; the article <doc:KeepingAState> has one that is a file.
public protocol StateStorage: Sendable {
  /// Reads the bytes that were written last; `nil` only if nothing was ever written.
  func read() async throws -> [UInt8]?

  /// Replaces the stored bytes: completely, or, if it fails, not at all.
  func write(_ bytes: [UInt8]) async throws

  /// Moves the stored bytes to another name, which it returns as a text for the user.
  func setAside() async throws -> String
}

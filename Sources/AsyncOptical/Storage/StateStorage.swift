/// Stores the bytes of a state across runs.
///
/// ```swift
/// func write(_ bytes: [UInt8]) throws {
///   try Data(bytes).write(to: file, options: .atomic)
/// }
/// ```
/// The package imports no file system; the article <doc:KeepingAState> has a storage that is a file.
public protocol StateStorage: Sendable {
  /// Reads the bytes that were written last.
  ///
  /// - Returns: The bytes; `nil` if nothing was ever written.
  /// - Throws: An error if the storage cannot be read.
  func read() async throws -> [UInt8]?

  /// Replaces the stored bytes: completely, or, if it fails, not at all.
  ///
  /// - Parameter bytes: The bytes to store.
  /// - Throws: An error if the bytes cannot be written.
  func write(_ bytes: [UInt8]) async throws

  /// Moves the stored bytes to another name, so that no later write replaces them.
  ///
  /// - Returns: The new place, as a text for the user.
  /// - Throws: An error if the bytes cannot be moved.
  func setAside() async throws -> String
}

/// Where a state is kept across runs: bytes in, bytes out.
///
/// ```swift
/// func write(_ bytes: [UInt8]) throws {
///   try Data(bytes).write(to: file, options: .atomic)
/// }
/// ```
/// The package imports no file system; the article <doc:KeepingAState> has a storage that is a file.
public protocol StateStorage: Sendable {
  /// What was written last.
  ///
  /// - Returns: The bytes; `nil` when nothing was ever written.
  /// - Throws: What kept it from reading.
  func read() async throws -> [UInt8]?

  /// Replaces what is there: wholly, or, where it fails, not at all.
  ///
  /// - Parameter bytes: What to keep.
  /// - Throws: What kept it from writing.
  func write(_ bytes: [UInt8]) async throws

  /// Keeps what is there under another name, so that nothing overwrites it.
  ///
  /// - Returns: Where it is now, for the user to read.
  /// - Throws: What kept it from doing so.
  func setAside() async throws -> String
}

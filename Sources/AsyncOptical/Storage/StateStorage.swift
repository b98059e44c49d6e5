/// Stores the bytes of a state across runs; the article <doc:KeepingAState> shows an implementation that uses a file.
public protocol StateStorage: Sendable {
  /// Returns the bytes that were written last, or `nil` if no bytes are stored.
  ///
  /// Throws if it cannot tell whether bytes are stored. If it returned `nil` instead, the next save would overwrite those bytes.
  func read() async throws -> [UInt8]?

  /// Replaces the stored bytes completely or, if the write fails, leaves the old bytes unchanged.
  func write(_ bytes: [UInt8]) async throws

  /// Moves the stored bytes to another name, and returns that name so that it can be shown to the user.
  func setAside() async throws -> String
}

/// The storage contains a state where the items of an outbox were expected, or the reverse; nothing was changed.
public struct WrongStorage: Error, Equatable, CustomStringConvertible {
  let expected: StoredContent

  /// A message for the developer.
  public var description: String {
    "the storage of \(expected.text) contains \(expected.other.text); give each its own storage"
  }
}

/// The kind of content of a storage.
enum StoredContent {
  case state, outbox

  /// The beginning of the stored bytes.
  var mark: String { "AsyncKnot \(self) " }
  var other: Self { self == .state ? .outbox : .state }
  var text: String { self == .state ? "a state" : "an outbox's items" }
}

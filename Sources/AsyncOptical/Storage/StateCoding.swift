/// Converts states to bytes and back, with a version.
///
/// <!-- sample:
/// extension Notes {
///   static func migrate(_ bytes: [UInt8], from version: Int) throws -> State { State() }
/// }
/// -->
/// ```swift
/// let coding = StateCoding<Notes.State>(
///   version: 2,
///   encode: { Array(try JSONEncoder().encode($0)) },
///   decode: { try JSONDecoder().decode(Notes.State.self, from: Data($0)) },
///   migrate: { bytes, version in try Notes.migrate(bytes, from: version) })
/// ```
public struct StateCoding<State: Sendable>: Sendable {
  /// The saved bytes have a version that cannot be read.
  public struct UnknownVersion: Error, Equatable, CustomStringConvertible {
    /// The version of the bytes.
    public let version: Int

    /// Creates the error.
    ///
    /// - Parameter version: The version of the bytes.
    public init(version: Int) { self.version = version }

    /// A message for the user.
    public var description: String { "it was saved in version \(version), which is unknown" }
  }

  let version: Int
  let encode: @Sendable (State) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> State
  let migrate: @Sendable ([UInt8], Int) throws -> State

  /// Creates a coding; traps if `version` is negative.
  ///
  /// - Parameters:
  ///   - version: The version that is written; raise it when older bytes can no longer be decoded.
  ///   - encode: Encodes a state.
  ///   - decode: Decodes a state from bytes of this version.
  ///   - migrate: Decodes a state from bytes of an older version; by default it throws
  ///     `UnknownVersion`.
  public init(
    version: Int = 1, encode: @escaping @Sendable (State) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> State,
    migrate: @escaping @Sendable (_ bytes: [UInt8], _ version: Int) throws -> State = {
      throw UnknownVersion(version: $1)
    }
  ) {
    precondition(
      version >= 0, "StateCoding(version:): needs a version of at least 0; got \(version)")
    self.version = version
    self.encode = encode
    self.decode = decode
    self.migrate = migrate
  }
}

/// Identifies one of the snapshots that a source has shown.
///
/// ```swift
/// let known = SnapshotRevision(lastEventID)  // nil if it is not a revision; then the first message is a full snapshot
/// ```
/// The description, such as `8123456789-15`, can be the id of a server-sent event. The number increases by one with each change
/// of the source. Parsing and decoding refuse a number of 2⁵³ or more, because JavaScript cannot represent every such number.
public struct SnapshotRevision: Hashable, Sendable {
  /// Identifies the source; a restarted source has a new epoch.
  public let epoch: UInt64
  /// Counts the snapshots of this epoch.
  public let number: UInt64

  /// Creates a revision from its parts.
  public init(epoch: UInt64, number: UInt64) {
    self.epoch = epoch
    self.number = number
  }

  /// Whether `other` is a later revision of the same epoch.
  func isFollowed(by other: Self) -> Bool { epoch == other.epoch && number < other.number }
}

extension SnapshotRevision: LosslessStringConvertible {
  /// The epoch and the number, such as `8123456789-15`.
  public var description: String { "\(epoch)-\(number)" }

  /// Parses a ``description``; `nil` for any other text, and for a number of 2⁵³ or more.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let number = UInt64(parts[1]),
      description == "\(epoch)-\(number)", Self.isNumber(number)
    else { return nil }
    self.init(epoch: epoch, number: number)
  }

  /// Whether a number is small enough to be decoded, so that a mirror can later add 1 to it without an overflow.
  static func isNumber(_ number: UInt64) -> Bool { number < 1 << 53 }
}

extension SnapshotRevision: Codable {
  /// Encodes the ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let revision = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "needs a revision, epoch-number, with a number below 2⁵³; got “\(text)”")
    }
    self = revision
  }
}

/// Names one of the snapshots that a source has shown: what an observer says it has.
///
/// ```swift
/// let known = SnapshotRevision(lastEventID)  // nil for a text that is none: then it has nothing
/// ```
/// Its description, `8123456789-15` for instance, makes a good event id. Numbers grow by one with each change
/// of the source. One of 2⁵³ or more, with which no script can calculate, is refused where it is decoded.
public struct SnapshotRevision: Hashable, Sendable {
  /// Names the source: another source, or the same one after the program was started anew, has another.
  public let epoch: UInt64
  /// Counts what the source has shown in this epoch.
  public let number: UInt64

  /// Creates the name of a snapshot from its parts.
  public init(epoch: UInt64, number: UInt64) {
    self.epoch = epoch
    self.number = number
  }

  /// Whether another snapshot is a later one of the same epoch.
  func isFollowed(by other: Self) -> Bool { epoch == other.epoch && number < other.number }
}

extension SnapshotRevision: LosslessStringConvertible {
  /// Epoch and number, as `8123456789-15`.
  public var description: String { "\(epoch)-\(number)" }

  /// Reads what ``description`` gives; nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let number = UInt64(parts[1]),
      description == "\(epoch)-\(number)", Self.isNumber(number)
    else { return nil }
    self.init(epoch: epoch, number: number)
  }

  /// Whether a number may be taken from elsewhere: so many others follow it that none ever lacks a next one.
  static func isNumber(_ number: UInt64) -> Bool { number < 1 << 53 }
}

extension SnapshotRevision: Codable {
  /// Encodes the text that ``description`` gives.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes the text that ``description`` gives.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let revision = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "a revision is epoch-number, the number below 2⁵³; got “\(text)”")
    }
    self = revision
  }
}

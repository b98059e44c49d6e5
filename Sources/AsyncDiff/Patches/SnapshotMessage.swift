/// A message to an observer of a source: a whole snapshot, or the changes since the observer's snapshot.
///
/// In JSON, a message is one object, whose `kind` selects the other keys:
///
/// ```json
/// {"kind": "snapshot", "epoch": 8123456789, "to": 12, "since": "8123456789-3", "sections": […]}
/// {"kind": "patch", "epoch": 8123456789, "from": 12, "to": 15, "stages": […]}
/// ```
public enum SnapshotMessage<Section: SectionInflator>: Sendable, Equatable {
  /// The whole snapshot, for an observer that had the revision `since`, which is `nil` if the observer had no snapshot.
  case snapshot(DiffableSnapshot<Section>, SnapshotRevision, since: SnapshotRevision? = nil)
  /// The changes since the snapshot that the observer has.
  case patch(SnapshotPatch<Section>)

  /// The revision that an observer has after the message.
  public var revision: SnapshotRevision {
    switch self {
    case .snapshot(_, let revision, _): revision
    case .patch(let patch): patch.to
    }
  }
}

private enum MessageKey: String, CodingKey {
  case kind, epoch, from, to, since, sections, stages
}

private enum MessageKind: String, Codable {
  case snapshot, patch
}

extension SnapshotMessage: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the kind, the revisions, and the sections or stages.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MessageKey.self)
    try container.encode(revision.epoch, forKey: .epoch)
    try container.encode(revision.number, forKey: .to)
    switch self {
    case .snapshot(let snapshot, _, let since):
      try container.encode(MessageKind.snapshot, forKey: .kind)
      try container.encodeIfPresent(since, forKey: .since)
      try container.encode(snapshot, forKey: .sections)
    case .patch(let patch):
      try container.encode(MessageKind.patch, forKey: .kind)
      try container.encode(patch.from.number, forKey: .from)
      try container.encode(patch.stages, forKey: .stages)
    }
  }
}

extension SnapshotMessage: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {
  /// Decodes a message; whether a patch fits a snapshot is checked when you apply it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MessageKey.self)
    let epoch = try container.decode(UInt64.self, forKey: .epoch)
    let number = try container.decodeNumber(forKey: .to)
    switch try container.decode(MessageKind.self, forKey: .kind) {
    case .snapshot:
      let snapshot = try container.decode(DiffableSnapshot<Section>.self, forKey: .sections)
      self = .snapshot(
        snapshot, SnapshotRevision(epoch: epoch, number: number),
        since: try container.decodeIfPresent(SnapshotRevision.self, forKey: .since))
    case .patch:
      let from = try container.decodeNumber(forKey: .from)
      self = .patch(
        SnapshotPatch(
          from: SnapshotRevision(epoch: epoch, number: from), to: number,
          stages: try container.decode([SnapshotPatch<Section>.Stage].self, forKey: .stages)))
    }
  }
}

extension KeyedDecodingContainer<MessageKey> {
  fileprivate func decodeNumber(forKey key: MessageKey) throws -> UInt64 {
    let number = try decode(UInt64.self, forKey: key)
    guard SnapshotRevision.isNumber(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "needs a revision with a number below 2⁵³; got \(number)")
    }
    return number
  }
}

private enum StageKey: String, CodingKey {
  case sectionDeletes, sectionInserts, sectionMoves, sectionUpdates
  case itemDeletes, itemInserts, itemMoves, itemUpdates
}

extension SnapshotPatch.Stage: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the lists that are not empty, by their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StageKey.self)
    try container.encodeUnlessEmpty(sectionDeletes, forKey: .sectionDeletes)
    try container.encodeUnlessEmpty(sectionInserts, forKey: .sectionInserts)
    try container.encodeUnlessEmpty(sectionMoves, forKey: .sectionMoves)
    try container.encodeUnlessEmpty(sectionUpdates, forKey: .sectionUpdates)
    try container.encodeUnlessEmpty(itemDeletes, forKey: .itemDeletes)
    try container.encodeUnlessEmpty(itemInserts, forKey: .itemInserts)
    try container.encodeUnlessEmpty(itemMoves, forKey: .itemMoves)
    try container.encodeUnlessEmpty(itemUpdates, forKey: .itemUpdates)
  }
}

extension SnapshotPatch.Stage: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {
  /// Decodes the lists; one that is missing is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StageKey.self)
    sectionDeletes = try container.decodeOrEmpty(forKey: .sectionDeletes)
    sectionInserts = try container.decodeOrEmpty(forKey: .sectionInserts)
    sectionMoves = try container.decodeOrEmpty(forKey: .sectionMoves)
    sectionUpdates = try container.decodeOrEmpty(forKey: .sectionUpdates)
    itemDeletes = try container.decodeOrEmpty(forKey: .itemDeletes)
    itemInserts = try container.decodeOrEmpty(forKey: .itemInserts)
    itemMoves = try container.decodeOrEmpty(forKey: .itemMoves)
    itemUpdates = try container.decodeOrEmpty(forKey: .itemUpdates)
  }
}

extension KeyedEncodingContainer<StageKey> {
  fileprivate mutating func encodeUnlessEmpty(
    _ list: [some Encodable], forKey key: StageKey
  ) throws {
    if !list.isEmpty { try encode(list, forKey: key) }
  }
}

extension KeyedDecodingContainer<StageKey> {
  fileprivate func decodeOrEmpty<Element: Decodable>(forKey key: StageKey) throws -> [Element] {
    try decodeIfPresent([Element].self, forKey: key) ?? []
  }
}

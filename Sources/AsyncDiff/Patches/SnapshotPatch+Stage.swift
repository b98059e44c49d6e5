extension SnapshotPatch {
  /// One stage of a patch: the operations of a `BatchUpdates`, with the inserted and updated content.
  ///
  /// Deletes and `from` are positions before the stage; `at` and `to` are positions after it. Removed and moved
  /// sections and items are given by position only.
  public struct Stage: Equatable, Sendable {
    typealias CodingKeys = StageKey

    /// The offsets of the sections that are removed with all their items.
    public var sectionDeletes: [Int] = []
    /// The inserted sections, with all their items.
    public var sectionInserts: [Placed<Int, ShownSection<Section>>] = []
    /// Sections that move with their items.
    public var sectionMoves: [Changeset.Move] = []
    /// The new content of the sections that the stage updates, whether they move or not.
    public var sectionUpdates: [Placed<Int, Section.Content>] = []
    /// The paths of the items that are removed from sections that are neither removed nor moved.
    public var itemDeletes: [ItemPath] = []
    /// The items that are inserted into sections that are neither inserted nor moved.
    public var itemInserts: [Placed<ItemPath, Section.Item>] = []
    /// Items that move, within a section or to another one.
    public var itemMoves: [ItemPath.Move] = []
    /// The new content of the items that the stage updates, whether they move or not.
    public var itemUpdates: [Placed<ItemPath, Section.Item>] = []

    /// Creates a stage without operations.
    public init() {}

    /// Creates a stage from the operations of a batch and the inserted and updated content.
    ///
    /// - Complexity: O(sections + *k* log *n*) for *k* operations and *n* items.
    public init(_ batch: BatchUpdates<Section>) {
      batch.requireBounds()
      let new = batch.snapshot
      sectionDeletes = batch.sectionDeletes
      sectionInserts = batch.sectionInserts.map { Placed(at: $0, value: new.sections[$0]) }
      sectionMoves = batch.sectionMoves
      sectionUpdates = batch.sectionUpdates.map {
        Placed(at: $0.to, value: new.sections[$0.to].content)
      }
      itemDeletes = batch.itemDeletes
      itemInserts = batch.itemInserts.map { Placed(at: $0, value: new.item(at: $0)) }
      itemMoves = batch.itemMoves
      itemUpdates = batch.itemUpdates.map { Placed(at: $0.to, value: new.item(at: $0.to)) }
    }
  }

  /// A value, such as an inserted item, with its position after the stage.
  public struct Placed<Place: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The offset or the path after the stage.
    public var at: Place
    /// The item, the section, or the content of a section.
    public var value: Value

    /// Creates a value with its position after the stage.
    public init(at place: Place, value: Value) {
      at = place
      self.value = value
    }
  }
}

extension SnapshotPatch.Placed: Equatable where Value: Equatable {}
extension SnapshotPatch.Placed: Encodable where Place: Encodable, Value: Encodable {}
extension SnapshotPatch.Placed: Decodable where Place: Decodable, Value: Decodable {}

/// The JSON keys of a stage; empty lists are left out.
enum StageKey: String, CodingKey {
  case sectionDeletes, sectionInserts, sectionMoves, sectionUpdates
  case itemDeletes, itemInserts, itemMoves, itemUpdates
}

extension SnapshotPatch.Stage: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {}
extension SnapshotPatch.Stage: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {}

extension KeyedEncodingContainer<StageKey> {
  /// The synthesized `encode(to:)` of a stage calls this method for each list, so empty lists are left out.
  fileprivate mutating func encode(_ list: [some Encodable], forKey key: StageKey) throws {
    try encodeIfPresent(list.isEmpty ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer<StageKey> {
  /// The synthesized `init(from:)` of a stage calls this method for each list, so a missing list is empty.
  fileprivate func decode<Element: Decodable>(
    _ type: [Element].Type, forKey key: StageKey
  ) throws -> [Element] { try decodeIfPresent(type, forKey: key) ?? [] }
}

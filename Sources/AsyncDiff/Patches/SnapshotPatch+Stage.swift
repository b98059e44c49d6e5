extension SnapshotPatch {
  /// One stage of a patch: the operations of a `BatchUpdates` with the content that they bring.
  ///
  /// Deletes and `from` index the list before the stage, `at` and `to` the list after it. What goes or moves
  /// is named by its place alone; what comes or changes has its content.
  public struct Stage: Equatable, Sendable {
    typealias CodingKeys = StageKey

    /// Offsets of the sections that go, with all their items.
    public var sectionDeletes: [Int] = []
    /// The sections that come, with all their items.
    public var sectionInserts: [Placed<Int, ShownSection<Section>>] = []
    /// Sections that change their place and take their items along.
    public var sectionMoves: [Changeset.Move] = []
    /// The new content of sections that stay, moved or not.
    public var sectionUpdates: [Placed<Int, Section.Content>] = []
    /// Paths of the items that go from sections that stay.
    public var itemDeletes: [ItemPath] = []
    /// The items that come to sections that stay.
    public var itemInserts: [Placed<ItemPath, Section.Item>] = []
    /// Items that change their place, within a section or across two.
    public var itemMoves: [ItemPath.Move] = []
    /// The new content of items that stay the same row, moved or not.
    public var itemUpdates: [Placed<ItemPath, Section.Item>] = []

    /// Creates a stage without operations.
    public init() {}

    /// Takes the operations of a batch, and the content that they bring from its snapshot.
    ///
    /// - Complexity: O(*k*) for *k* operations.
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

  /// Content, and the place where it is after the stage.
  public struct Placed<Place: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The offset or the path after the stage.
    public var at: Place
    /// What is there.
    public var value: Value

    /// Creates content with its place.
    public init(at place: Place, value: Value) {
      at = place
      self.value = value
    }
  }
}

extension SnapshotPatch.Placed: Equatable where Value: Equatable {}
extension SnapshotPatch.Placed: Encodable where Place: Encodable, Value: Encodable {}
extension SnapshotPatch.Placed: Decodable where Place: Decodable, Value: Decodable {}

/// What a stage is on a wire: its lists by their names, without those that are empty.
enum StageKey: String, CodingKey {
  case sectionDeletes, sectionInserts, sectionMoves, sectionUpdates
  case itemDeletes, itemInserts, itemMoves, itemUpdates
}

extension SnapshotPatch.Stage: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {}
extension SnapshotPatch.Stage: Decodable
where Section.DiffIdentifier: Decodable, Section.Content: Decodable, Section.Item: Decodable {}

extension KeyedEncodingContainer<StageKey> {
  /// The compiler's code for a stage calls this for each list: it leaves an empty one out.
  fileprivate mutating func encode(_ list: [some Encodable], forKey key: StageKey) throws {
    try encodeIfPresent(list.isEmpty ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer<StageKey> {
  /// The compiler's code for a stage calls this for each list: one that is missing is empty.
  fileprivate func decode<Element: Decodable>(
    _ type: [Element].Type, forKey key: StageKey
  ) throws -> [Element] { try decodeIfPresent(type, forKey: key) ?? [] }
}

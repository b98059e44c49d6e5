/// Batches as the operations of a JSON Patch (RFC 6902), over the JSON of a snapshot.
///
/// <!-- sample: func encoded() throws -> Data { … } -->
/// ```swift
/// let stages = shown.batches(to: received)
/// return try JSONEncoder().encode(JSONPatch(stages))
/// ```
/// gives `[{"op":"remove","path":"/0/items/3"},{"op":"add","path":"/1/items/0","value":{…}}]`, for instance.
///
/// The document is what a `DiffableSnapshot` is encoded as: an array of sections, each with its
/// `diffIdentifier`, its `content` and its `items`. Any implementation of the standard leads from the JSON of
/// the first batch's `previous` to that of the last one's `snapshot`, up to `==`: a value that equals the one
/// that is there is not sent, as a string of which only the Unicode form has changed.
public struct JSONPatch<Section: SectionInflator>: Sendable, Equatable {
  /// The steps that the operations stand for, in order.
  public let steps: [BatchUpdates<Section>.Step]

  /// Takes the steps of batches, the first of which leads from what the other side has.
  ///
  /// - Parameter batches: Stages that follow each other.
  /// - Complexity: That of `sequentialSteps`.
  public init(_ batches: [BatchUpdates<Section>]) {
    steps = batches.flatMap(\.sequentialSteps)
  }
}

extension JSONPatch: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  private enum Key: CodingKey {
    case op, path, from, value
  }

  /// Encodes the array of operations by the names that the standard gives.
  ///
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for step in steps {
      func encode(
        _ op: String, at path: String, from: String? = nil, _ value: (any Encodable)? = nil
      ) throws {
        var container = list.nestedContainer(keyedBy: Key.self)
        try container.encode(op, forKey: .op)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encode(path, forKey: .path)
        if let value { try container.encode(value, forKey: .value) }
      }
      switch step {
      case .deleteSection(let offset): try encode("remove", at: "/\(offset)")
      case .insertSection(let section, let offset): try encode("add", at: "/\(offset)", section)
      case .moveSection(let from, let to): try encode("move", at: "/\(to)", from: "/\(from)")
      case .updateSection(let content, let offset):
        try encode("replace", at: "/\(offset)/content", content)
      case .deleteItem(let path): try encode("remove", at: path.pointer)
      case .insertItem(let item, let path): try encode("add", at: path.pointer, item)
      case .moveItem(let from, let to): try encode("move", at: to.pointer, from: from.pointer)
      case .updateItem(let item, let path): try encode("replace", at: path.pointer, item)
      }
    }
  }
}

extension ItemPath {
  /// The path as a JSON pointer (RFC 6901).
  fileprivate var pointer: String { "/\(section)/items/\(item)" }
}

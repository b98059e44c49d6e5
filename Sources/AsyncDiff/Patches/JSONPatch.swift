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
/// the first batch's `previous` to that of the last one's `snapshot`.
public struct JSONPatch<Section: SectionInflator>: Sendable, Equatable {
  /// One operation, over the document as the operations before have left it.
  public struct Operation: Sendable, Equatable {
    /// What an operation puts in.
    public enum Value: Sendable, Equatable {
      /// A section with its content and its items.
      case section(ShownSection<Section>)
      /// The content of a section.
      case content(Section.Content)
      /// An item.
      case item(Section.Item)
    }

    /// What is done: `add`, `remove`, `replace` or `move`.
    public enum Kind: String, Sendable {
      /// Puts a value in, before what is there.
      case add
      /// Takes out what is there.
      case remove
      /// Puts a value in the place of what is there.
      case replace
      /// Takes out what is at `from`, and puts it in at `path`.
      case move
    }

    /// What is done.
    public let kind: Kind
    /// Where, as a JSON pointer (RFC 6901).
    public let path: String
    /// Where a moved value comes from.
    public let from: String?
    /// The value that is put in.
    public let value: Value?
  }

  /// The operations, in order.
  public let operations: [Operation]

  /// Takes the steps of batches, the first of which leads from what the other side has.
  ///
  /// - Parameter batches: Stages that follow each other.
  /// - Complexity: That of `sequentialSteps`.
  public init(_ batches: [BatchUpdates<Section>]) {
    operations = batches.flatMap { $0.sequentialSteps.map { Operation($0) } }
  }
}

extension JSONPatch.Operation {
  fileprivate init(_ step: SequentialStep<Section>) {
    switch step {
    case .deleteSection(let offset): self.init(.remove, at: Self.pointer(offset))
    case .insertSection(let section, let offset):
      self.init(.add, at: Self.pointer(offset), value: .section(section))
    case .moveSection(let from, let to):
      self.init(.move, at: Self.pointer(to), from: Self.pointer(from))
    case .updateSection(let content, let offset):
      self.init(.replace, at: Self.pointer(offset) + "/content", value: .content(content))
    case .deleteItem(let path): self.init(.remove, at: Self.pointer(path))
    case .insertItem(let item, let path):
      self.init(.add, at: Self.pointer(path), value: .item(item))
    case .moveItem(let from, let to):
      self.init(.move, at: Self.pointer(to), from: Self.pointer(from))
    case .updateItem(let item, let path):
      self.init(.replace, at: Self.pointer(path), value: .item(item))
    }
  }

  private init(_ kind: Kind, at path: String, from: String? = nil, value: Value? = nil) {
    self.kind = kind
    self.path = path
    self.from = from
    self.value = value
  }

  private static func pointer(_ section: Int) -> String { "/\(section)" }

  private static func pointer(_ path: ItemPath) -> String {
    "/\(path.section)/items/\(path.item)"
  }
}

private enum OperationKey: String, CodingKey {
  case op, path, from, value
}

extension JSONPatch: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the array of operations.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(operations)
  }
}

extension JSONPatch.Operation: Encodable
where Section.DiffIdentifier: Encodable, Section.Content: Encodable, Section.Item: Encodable {
  /// Encodes the operation by the names that the standard gives.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: OperationKey.self)
    try container.encode(kind.rawValue, forKey: .op)
    try container.encodeIfPresent(from, forKey: .from)
    try container.encode(path, forKey: .path)
    switch value {
    case nil: break
    case .section(let section): try container.encode(section, forKey: .value)
    case .content(let content): try container.encode(content, forKey: .value)
    case .item(let item): try container.encode(item, forKey: .value)
    }
  }
}

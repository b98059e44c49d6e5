/// An item of any type, for sections that mix several types.
///
/// Two items are the same row if their models have the same type and identifier, so models of different types never collide. The
/// type is the static type of the initializer's argument, so always pass an object as an instance of the same class, either its
/// own class or one superclass.
///
/// ```swift
/// let items = [AnyNodable(banner), AnyNodable(article)]
/// if let article = items[1].base as? Article { open(article) }
/// ```
public struct AnyNodable: Nodable {
  let box: any NodableBox

  /// Wraps a model; an `AnyNodable` is not wrapped again.
  @inlinable
  public init(_ base: some Nodable) {
    if let base = base as? AnyNodable {
      self = base
    } else {
      self.init(base) { DiffableKeying().likeness($0, $1) }
    }
  }

  @usableFromInline
  init<Model: Nodable>(
    _ base: Model, compare: @escaping @Sendable (Model, Model) -> Likeness
  ) {
    box = ModelBox(base, compare: compare)
  }

  /// The wrapped model.
  public var base: any Nodable { box.base }

  /// The type and the identifier of the wrapped model.
  public var diffIdentifier: DiffIdentifier { DiffIdentifier(box: box) }

  /// Returns the block that builds the cell of the wrapped model.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    base.nodeBlock(with: channel, at: path)
  }

  /// Returns the sizes that the cell of the wrapped model may take.
  public func sizeRange(in context: NodeContext) -> SizeRange { base.sizeRange(in: context) }

  @usableFromInline
  func likeness(to other: Self) -> Likeness { box.likeness(to: other.box) }

  /// Whether both wrap equal models of the same type.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.likeness(to: rhs) == .content }
}

extension AnyNodable: CustomStringConvertible {
  /// The description of the wrapped model.
  public var description: String { String(describing: base) }
}

extension AnyNodable {
  /// The type and the identifier of a model of any type.
  ///
  /// The value keeps its model alive.
  public struct DiffIdentifier: Hashable, Sendable {
    let box: any NodableBox

    /// Whether both models have the same type and the same identifier.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.box.hasIdentifier(of: rhs.box) }

    /// Hashes the type and the identifier.
    public func hash(into hasher: inout Hasher) { box.hashIdentifier(into: &hasher) }
  }
}

extension AnyNodable.DiffIdentifier: CustomStringConvertible {
  /// The description of the model's own identifier.
  public var description: String { String(describing: box.base.diffIdentifier) }
}

/// An item that shows a model of another type.
protocol ModelRow {
  var model: AnyModel { get }
}

extension AnyNodable: ModelRow {
  var model: AnyModel { base }
}

/// Converts an item to a type; `nil` if that is not possible.
///
/// An item can be converted to its own type, to `AnyNodable`, and to the model that it shows.
func unwrapped<Model>(_ item: AnyModel, as type: Model.Type) -> Model? {
  if let model = item as? Model { return model }
  if type == AnyNodable.self, let node = item as? any Nodable { return AnyNodable(node) as? Model }
  return (item as? any ModelRow).flatMap { unwrapped($0.model, as: type) }
}

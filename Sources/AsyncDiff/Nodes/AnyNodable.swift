/// An item of any type, for sections that mix several types.
///
/// Two items are the same row if they have one type and one identifier, so models of different
/// types never collide. Wrapping an `AnyNodable` returns the same wrapper. The type is the one
/// that the model is wrapped as: wrap an object of a class always as its superclass, or never.
///
/// ```swift
/// let items = [AnyNodable(banner), AnyNodable(article)]
/// if let article = items[1].base as? Article { open(article) }
/// ```
public struct AnyNodable: Nodable {
  let box: any NodableBox

  /// Wraps a model.
  ///
  /// - Parameter base: The model; an `AnyNodable` is not wrapped again.
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

  /// The model that was wrapped.
  public var base: any Nodable { box.base }

  /// The type and the identifier of the wrapped model.
  public var diffIdentifier: DiffIdentifier { DiffIdentifier(box: box) }

  /// The block that builds the cell of the wrapped model.
  ///
  /// - Parameters:
  ///   - channel: The channel to which the cell sends its events.
  ///   - path: The path of the item when the cell is built.
  /// - Returns: The block.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    base.nodeBlock(with: channel, at: path)
  }

  /// The sizes that the cell of the wrapped model may take.
  ///
  /// - Parameter context: The room for the cell.
  /// - Returns: The sizes.
  public func sizeRange(in context: NodeContext) -> SizeRange { base.sizeRange(in: context) }

  @usableFromInline
  func likeness(to other: Self) -> Likeness { box.likeness(to: other.box) }

  /// Whether both wrap equal models of one type.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.likeness(to: rhs) == .content }
}

extension AnyNodable: CustomStringConvertible {
  /// The description of the wrapped model.
  public var description: String { String(describing: base) }
}

extension AnyNodable {
  /// The identity of a model of any type: the type and the identifier.
  ///
  /// The value keeps the model that it identifies alive.
  public struct DiffIdentifier: Hashable, Sendable {
    let box: any NodableBox

    /// Whether both identify a model of the same type with the same identifier.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.box.hasIdentifier(of: rhs.box) }

    /// Feeds the type and the identifier to a hasher.
    public func hash(into hasher: inout Hasher) { box.hashIdentifier(into: &hasher) }
  }
}

extension AnyNodable.DiffIdentifier: CustomStringConvertible {
  /// The description of the model's own identifier.
  public var description: String { String(describing: box.base.diffIdentifier) }
}

/// An item that shows a model of another type, under the identifier of that model.
protocol ModelRow {
  /// The model.
  var model: AnyModel { get }
}

extension AnyNodable: ModelRow {
  var model: AnyModel { base }
}

/// An item as a value of one type; nil if it has another one.
///
/// What has the type is the item itself, its wrapper if the type is `AnyNodable`, or the model of which the item is
/// a row.
func unwrapped<Model>(_ item: AnyModel, as type: Model.Type) -> Model? {
  if let model = item as? Model { return model }
  if type == AnyNodable.self, let node = item as? any Nodable { return AnyNodable(node) as? Model }
  return (item as? any ModelRow).flatMap { unwrapped($0.model, as: type) }
}

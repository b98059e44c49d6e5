/// An item of any type, for sections that mix several.
///
/// Two items are the same row when they have one type and one identifier, so models of different
/// types never collide. Wrapping an `AnyNodable` gives it back unchanged.
///
/// ```swift
/// let items = [AnyNodable(banner), AnyNodable(article)]
/// if let article = items[1].base as? Article { open(article) }
/// ```
public struct AnyNodable: Nodable {
  private let box: any NodableBox

  /// Wraps a model.
  public init(_ base: some Nodable) {
    box = (base as? AnyNodable)?.box ?? ModelBox(base)
  }

  /// The model that was wrapped.
  public var base: any Nodable { box.base }

  /// The type and the identifier of the wrapped model.
  public var diffIdentifier: TypedIdentifier { TypedIdentifier(box: box) }

  /// Gives the block that builds the node of the wrapped model.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    base.nodeBlock(with: channel, at: path)
  }

  /// Says how large the node of the wrapped model may be.
  public func sizeRange(in context: NodeContext) -> SizeRange { base.sizeRange(in: context) }

  /// Whether both wrap equal models of one type.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.box.isEqual(to: rhs.box) }
}

extension AnyNodable: CustomStringConvertible {
  /// The description of the wrapped model.
  public var description: String { String(describing: base) }
}

/// The identity of a model of unknown type: which type it has, and which identifier.
///
/// It keeps the model that it identifies.
public struct TypedIdentifier: Hashable, Sendable {
  let box: any NodableBox

  /// Whether both identify the same model.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.box.hasIdentifier(of: rhs.box) }

  /// Feeds the type and the identifier to a hasher.
  public func hash(into hasher: inout Hasher) { box.hashIdentifier(into: &hasher) }
}

extension TypedIdentifier: CustomStringConvertible {
  /// The description of the model's own identifier.
  public var description: String { String(describing: box.base.diffIdentifier) }
}

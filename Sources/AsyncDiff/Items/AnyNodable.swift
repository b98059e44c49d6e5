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
  /// The model that was wrapped.
  public let base: any Nodable

  /// Wraps a model.
  public init(_ base: some Nodable) {
    self.base = (base as? AnyNodable)?.base ?? base
  }

  /// The type and the identifier of the wrapped model.
  public var diffIdentifier: TypedIdentifier { TypedIdentifier(of: base) }

  /// Gives the block that builds the node of the wrapped model.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    base.nodeBlock(with: channel, at: path)
  }

  /// Says how large the node of the wrapped model may be.
  public func sizeRange(in context: NodeContext) -> SizeRange { base.sizeRange(in: context) }

  /// Whether both wrap equal models of one type.
  public static func == (lhs: Self, rhs: Self) -> Bool { isEqual(lhs.base, rhs.base) }
}

extension AnyNodable: CustomStringConvertible {
  /// The description of the wrapped model.
  public var description: String { String(describing: base) }
}

/// The identity of a model of unknown type: which type it has, and which identifier.
public struct TypedIdentifier: Hashable, Sendable {
  private let model: ObjectIdentifier
  private let identifier: any (Hashable & Sendable)

  init<Model: Nodable>(of model: Model) {
    self.model = ObjectIdentifier(Model.self)
    identifier = model.diffIdentifier
  }

  /// Whether both identify the same model.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.model == rhs.model && isEqual(lhs.identifier, rhs.identifier)
  }

  /// Feeds the type and the identifier to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(model)
    identifier.hash(into: &hasher)
  }
}

extension TypedIdentifier: CustomStringConvertible {
  /// The description of the model's own identifier.
  public var description: String { String(describing: identifier) }
}

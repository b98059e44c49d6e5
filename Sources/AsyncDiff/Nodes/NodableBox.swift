/// A box that hides the type of its model.
///
/// Two boxes of the same class hold models of the same type, so comparing the two class pointers is enough to compare the types
/// of the models, without a dynamic cast.
protocol NodableBox: AnyObject, Sendable {
  var base: any Nodable { get }

  func hasIdentifier(of other: any NodableBox) -> Bool
  func hashIdentifier(into hasher: inout Hasher)
  func likeness(to other: any NodableBox) -> Likeness
}

final class ModelBox<Model: Nodable>: NodableBox {
  private let model: Model

  /// Compares two models, in code that is specialized for their type in the module that wrapped them.
  private let compare: @Sendable (Model, Model) -> Likeness

  init(_ model: Model, compare: @escaping @Sendable (Model, Model) -> Likeness) {
    self.model = model
    self.compare = compare
  }

  var base: any Nodable { model }

  func hasIdentifier(of other: any NodableBox) -> Bool {
    if other === self { return true }
    guard let other = sameKind(other) else { return false }
    return other.model.diffIdentifier == model.diffIdentifier
  }

  func hashIdentifier(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(Model.self))
    hasher.combine(model.diffIdentifier)
  }

  func likeness(to other: any NodableBox) -> Likeness {
    if other === self { return .content }
    guard let other = sameKind(other) else { return .none }
    return compare(model, other.model)
  }

  private func sameKind(_ other: any NodableBox) -> ModelBox? {
    let mine: any NodableBox = self
    guard type(of: other) == type(of: mine) else { return nil }
    // The cast is safe, because both objects have the same class, `ModelBox<Model>`.
    return unsafe unsafeDowncast(other, to: ModelBox.self)
  }
}

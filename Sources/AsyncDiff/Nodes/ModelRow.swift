/// An item that shows a model of another type as a row, under the identifier of that model.
protocol ModelRow: Nodable {
  /// The model.
  var model: any Nodable { get }
}

extension AnyNodable {
  /// The model as a value of one type.
  ///
  /// That is the wrapped model; this wrapper if the type is `AnyNodable`; or, if the wrapped model
  /// is a `ModelRow`, the model of that row. `nil` if none of them has the type.
  func unwrapped<Model: Nodable>(as type: Model.Type) -> Model? {
    if let model = base as? Model ?? self as? Model { return model }
    guard let row = base as? any ModelRow else { return nil }
    return AnyNodable(row.model).unwrapped(as: type)
  }
}

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

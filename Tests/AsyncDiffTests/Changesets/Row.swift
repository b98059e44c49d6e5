/// A row whose content is separate from its identifier.
struct Row<ID: Hashable & Sendable>: Diffable, Equatable, Sendable {
  var diffIdentifier: ID
  var content = 0
}

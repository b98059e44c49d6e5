/// A row with an identity and a content of its own.
struct Row<ID: Hashable & Sendable>: Diffable, Equatable, Sendable {
  var diffIdentifier: ID
  var content = 0
}

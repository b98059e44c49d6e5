/// A row with an identifier and a separate content.
struct Row<ID: Hashable & Sendable>: Diffable, Equatable, Sendable {
  var diffIdentifier: ID
  var content = 0
}

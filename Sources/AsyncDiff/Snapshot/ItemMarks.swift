/// The items that a snapshot asks to draw anew, whether or not their content changed.
///
/// A mark makes the item an update of the next batch. A reloaded item gets a new node, a
/// reconfigured one keeps its node.
package struct ItemMarks<ID: Hashable & Sendable>: Sendable {
  package var reloaded: Set<ID> = []
  package var reconfigured: Set<ID> = []

  package var isEmpty: Bool { reloaded.isEmpty && reconfigured.isEmpty }

  package func contains(_ id: ID) -> Bool { reloaded.contains(id) || reconfigured.contains(id) }

  package mutating func formUnion(_ other: Self) {
    reloaded.formUnion(other.reloaded)
    reconfigured.formUnion(other.reconfigured)
  }
}

extension DiffableSnapshot {
  /// The same without marks: a mark is carried out once, so what is shown has none.
  var withoutMarks: Self {
    var snapshot = self
    snapshot.marks = ItemMarks()
    return snapshot
  }
}

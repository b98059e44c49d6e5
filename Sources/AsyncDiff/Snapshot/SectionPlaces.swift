import Synchronization

/// Finds the items of a section whose items were edited.
///
/// A look-up knows an earlier offset of the item, which is mostly still near, so the items around
/// that offset are compared. After as many comparisons as the section has items, a table of the
/// section is built. So many look-ups after one edit cost O(1) each, and a single look-up after an
/// edit costs no more than the edit.
final class SectionPlaces<ItemID: Hashable & Sendable>: Sendable {
  private struct State: Sendable {
    var compared = 0
    var table: [ItemID: Int]?
  }

  private let state = Mutex(State())

  /// The offset of an item; `nil` if the list does not have it.
  func offset<Item: Diffable>(of id: ItemID, near hint: Int, in items: ShownRows<Item>) -> Int?
  where Item.DiffIdentifier == ItemID {
    let known = state.withLock { $0 }
    if let table = known.table { return table[id] }
    var steps = 0
    let start = max(0, min(hint, items.count - 1))
    while known.compared + 2 * steps <= items.count {
      for offset in [start + steps, start - steps]
      where items.indices.contains(offset) && items[offset].diffIdentifier == id {
        state.withLock { $0.compared += 2 * steps }
        return offset
      }
      steps += 1
    }
    var table: [ItemID: Int] = [:]
    table.reserveCapacity(items.count)
    for (offset, item) in items.enumerated() { table[item.diffIdentifier] = offset }
    let found = table[id]
    state.withLock { [table] in $0.table = table }
    return found
  }
}

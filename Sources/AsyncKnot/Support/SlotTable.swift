/// Elements in insertion order, each identified by the ticket that its insertion returned.
///
/// Tickets only increase, so the slots stay sorted. A removal leaves an empty slot. The table is compacted when it has more than
/// 16 slots and most of them are empty.
///
/// - Complexity: Inserting an element is amortized O(1), finding one is O(log n), and removing one is amortized O(log n).
@usableFromInline
package struct SlotTable<Element> {
  @usableFromInline typealias Slot = (ticket: UInt64, element: Element?)

  @usableFromInline var slots: [Slot] = []
  @usableFromInline package var count = 0
  /// The slots before this index are known to be empty.
  @usableFromInline var head = 0
  @usableFromInline var lastTicket: UInt64 = 0

  @inlinable package init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable package var elements: [Element] { slots.compactMap { $0.element } }

  /// Appends an element and returns its ticket.
  @inlinable
  package mutating func insert(_ element: Element) -> UInt64 {
    lastTicket += 1
    slots.append((lastTicket, element))
    count += 1
    return lastTicket
  }

  @inlinable
  package mutating func removeFirst() -> Element? {
    while head < slots.count {
      if slots[head].element != nil { return remove(slots[head].ticket) }
      head += 1
    }
    return nil
  }

  /// Removes and returns a ticket's element; returns `nil` if the element is no longer in the table.
  @inlinable
  package mutating func remove(_ ticket: UInt64) -> Element? {
    guard let index = index(of: ticket) else { return nil }
    let element = slots[index].element.take()
    count -= 1
    if count == 0 {
      slots.removeAll(keepingCapacity: slots.capacity <= 16)
      head = 0
    } else if slots.count > 16, count * 2 < slots.count {
      slots.removeAll { $0.element == nil }
      head = 0
    }
    return element
  }

  @inlinable
  mutating func removeAll() -> [Slot] {
    guard count > 0 else { return [] }
    defer {
      slots = []
      count = 0
      head = 0
    }
    return slots
  }

  /// Returns the index of a ticket's slot, or `nil` if the ticket's element was removed.
  @inlinable
  func index(of ticket: UInt64) -> Int? {
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    guard low < slots.count, slots[low].ticket == ticket, slots[low].element != nil else {
      return nil
    }
    return low
  }
}

extension SlotTable: Sendable where Element: Sendable {}

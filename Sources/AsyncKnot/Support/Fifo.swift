/// A first-in, first-out queue of two arrays: elements are appended to one and popped from the other.
///
/// - Complexity: `append` and `popFirst` are O(1), amortised.
@usableFromInline
package struct Fifo<Element> {
  /// The elements that are popped next; `nil` before `head`.
  @usableFromInline var front: [Element?] = []
  @usableFromInline var head = 0
  /// The elements that follow `front`.
  @usableFromInline var back: [Element?] = []

  @inlinable
  package init() {}

  @inlinable package var count: Int { front.count - head + back.count }

  @inlinable package var isEmpty: Bool { count == 0 }

  @inlinable package var first: Element? {
    head < front.count ? front[head] : back.first ?? nil
  }

  @inlinable
  package mutating func append(_ element: Element) { back.append(element) }

  @inlinable
  package mutating func popFirst() -> Element? {
    if head == front.count {
      guard !back.isEmpty else { return nil }
      // A long queue gives its memory back.
      front.removeAll(keepingCapacity: front.count <= 1_024)
      head = 0
      swap(&front, &back)
    }
    defer { head += 1 }
    return front[head].take()
  }
}

extension Fifo: Sendable where Element: Sendable {}

/// A first-in, first-out queue in one contiguous buffer.
///
/// - Complexity: `append` and `popFirst` are amortised O(1).
@usableFromInline
package struct Fifo<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  /// Creates an empty queue.
  @inlinable
  package init() {}

  /// The number of elements.
  @inlinable package var count: Int { elements.count - head }

  @inlinable package var isEmpty: Bool { elements.count == head }

  /// Adds an element behind all others.
  ///
  /// - Parameter element: The element.
  @inlinable
  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Adds an element in front of all others.
  ///
  /// - Complexity: O(1) if an element was popped since the buffer was last compacted, else
  ///   O(count).
  @inlinable
  mutating func prepend(_ element: Element) {
    guard head > 0 else { return elements.insert(element, at: 0) }
    head -= 1
    elements[head] = element
  }

  /// Removes the oldest element.
  ///
  /// - Returns: The element; `nil` if the queue is empty.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 1024)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }
}

extension Fifo: Sendable where Element: Sendable {}

/// A first-in, first-out queue in chunks, so that no single step has to move all elements.
///
/// Elements are appended to `back` and popped from `front`. Where more than a chunk waits, full chunks
/// lie between the two. A long queue gives its memory back while it is emptied.
///
/// - Complexity: `append` and `popFirst` are O(chunk) at worst, amortised O(1).
@usableFromInline
package struct Fifo<Element> {
  /// The elements that are popped next; `nil` before `head`.
  @usableFromInline var front: [Element?] = []
  @usableFromInline var head = 0
  /// Full chunks, which follow `front`; empty arrays before `firstChunk`.
  @usableFromInline var chunks: [[Element?]] = []
  @usableFromInline var firstChunk = 0
  /// The elements that were appended last; not empty while there are chunks.
  @usableFromInline var back: [Element?] = []

  /// Creates an empty queue.
  @inlinable
  package init() {}

  /// The number of elements.
  @inlinable package var count: Int {
    front.count - head + (chunks.count - firstChunk) * Self.chunkLength + back.count
  }

  @inlinable package var isEmpty: Bool { head == front.count && back.isEmpty }

  /// The oldest element; `nil` if the queue is empty.
  @inlinable package var first: Element? {
    if head < front.count { return front[head] }
    return (chunks.isEmpty ? back : chunks[firstChunk]).first ?? nil
  }

  /// Adds an element behind all others.
  ///
  /// - Parameter element: The element.
  @inlinable
  package mutating func append(_ element: Element) {
    if back.count == Self.chunkLength { closeChunk() }
    back.append(element)
  }

  /// Adds an element in front of all others.
  ///
  /// - Complexity: O(1) behind an element that was popped, else O(chunk).
  @inlinable
  mutating func prepend(_ element: Element) {
    guard head > 0 else { return front.insert(element, at: 0) }
    head -= 1
    front[head] = element
  }

  /// Removes the oldest element.
  ///
  /// - Returns: The element; `nil` if the queue is empty.
  @inlinable
  package mutating func popFirst() -> Element? {
    if head == front.count { advance() }
    guard head < front.count else { return nil }
    let element = front[head].take()
    head += 1
    return element
  }

  /// Makes the next chunk the front one, whose elements have all been popped.
  @inlinable
  mutating func advance() {
    front.removeAll(keepingCapacity: true)
    head = 0
    if chunks.isEmpty { swap(&front, &back) } else { takeChunk() }
  }

  @usableFromInline
  mutating func takeChunk() {
    swap(&front, &chunks[firstChunk])
    chunks[firstChunk] = []
    firstChunk += 1
    if firstChunk * 2 >= chunks.count {
      chunks.removeSubrange(..<firstChunk)
      firstChunk = 0
    }
  }

  @usableFromInline
  mutating func closeChunk() {
    chunks.append(back)
    back = []
    back.reserveCapacity(Self.chunkLength)
  }

  /// Large enough to make chunks rare, small enough to be moved at once.
  @usableFromInline static var chunkLength: Int { 1_024 }
}

extension Fifo: Sendable where Element: Sendable {}

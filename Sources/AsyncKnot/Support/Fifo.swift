/// A first-in, first-out queue that stores its elements in blocks.
///
/// A single array would be copied when it grows. With millions of messages the copy would take half a second, while the caller
/// holds a lock.
///
/// - Complexity: `append` and `popFirst` are amortized O(1). In the worst case they copy one block, and one pointer for each of
///   the other blocks.
@usableFromInline
package struct Fifo<Element> {
  /// The elements that are popped first.
  ///
  /// The slots before `head` are `nil`.
  @usableFromInline var front: [Element?] = []
  @usableFromInline var head = 0
  /// The full blocks that follow `front`.
  ///
  /// The blocks before `firstBlock` are empty.
  @usableFromInline var blocks: [[Element?]] = []
  @usableFromInline var firstBlock = 0
  /// The elements that follow the blocks.
  @usableFromInline var back: [Element?] = []

  @inlinable package init() {}

  @inlinable package var count: Int { front.count - head + blockCount * Self.length + back.count }

  @inlinable package var isEmpty: Bool {
    head == front.count && back.isEmpty && blocks.isEmpty
  }

  @inlinable package var first: Element? {
    let next = head < front.count ? front[head...] : blocks[firstBlock...].first?[...] ?? back[...]
    return next.first ?? nil
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if back.count == Self.length { closeBlock() }
    back.append(element)
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    if head == front.count, !openBlock() { return nil }
    defer { head += 1 }
    return front[head].take()
  }

  @inlinable static var length: Int { 1_024 }

  @inlinable var blockCount: Int { blocks.count - firstBlock }

  @usableFromInline @inline(never)
  mutating func closeBlock() {
    blocks.append(back)
    back = []
    back.reserveCapacity(Self.length)
  }

  /// Makes the next block the front.
  ///
  /// Returns `false` if no elements are left.
  @inlinable
  mutating func openBlock() -> Bool {
    head = 0
    if blockCount == 0 {
      front.removeAll(keepingCapacity: true)
      swap(&front, &back)
      return !front.isEmpty
    }
    front = []
    swap(&front, &blocks[firstBlock])
    firstBlock += 1
    if firstBlock * 2 >= blocks.count {
      blocks.removeFirst(firstBlock)
      firstBlock = 0
    }
    return true
  }
}

extension Fifo: Sendable where Element: Sendable {}

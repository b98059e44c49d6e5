/// A first-in, first-out queue of blocks.
///
/// One array of all elements would be copied when it grows, under the lock of those who append and
/// pop: with millions of messages for half a second.
///
/// - Complexity: `append` and `popFirst` are O(1), amortised, and never more than a block and a pointer
///   for each other block.
@usableFromInline
package struct Fifo<Element> {
  /// The elements that are popped next; `nil` before `head`.
  @usableFromInline var front: [Element?] = []
  @usableFromInline var head = 0
  /// The full blocks that follow `front`; those before `firstBlock` are empty.
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

  /// Makes the next block the front one; returns whether there is any.
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

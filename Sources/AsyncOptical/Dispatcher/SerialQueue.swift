internal import AsyncKnot

/// A queue whose elements are processed one at a time and in order, even if processing an element adds others.
struct SerialQueue<Element> {
  private var waiting = Fifo<Element>()
  private var isProcessing = false

  mutating func append(_ element: Element) { waiting.append(element) }

  /// Begins to process the queue; returns `false` if another caller is already processing it.
  mutating func begin() -> Bool {
    defer { isProcessing = true }
    return !isProcessing
  }

  /// Returns the next element, or ends the processing and returns `nil`.
  mutating func next() -> Element? {
    let next = waiting.popFirst()
    isProcessing = next != nil
    return next
  }
}

extension SerialQueue: Sendable where Element: Sendable {}

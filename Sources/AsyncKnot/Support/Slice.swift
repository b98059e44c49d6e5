public import AsyncKnotThread

/// Decides when a loop that never suspends has to yield (F1).
///
/// Reading the clock costs as much as handling an element, so a slice reads it after 4, 8, 16, …
/// elements, and ends at the first reading after half of its length; of equal elements that is before
/// the whole of it. It reads the clock, too, when the coarse tick, which it compares for each element,
/// has changed: so it notices slow elements after quick ones. An explored run counts elements.
@usableFromInline
package struct Slice: Sendable {
  /// The number of elements until the next look at the clock.
  @usableFromInline var left = Self.firstLook
  /// The number of elements from the last look at the clock to the next.
  private var stride = Self.firstLook
  /// The tick at the last look; before the first, at the begin.
  @usableFromInline var tick = asyncKnotTick()
  /// The low 32 bits of the microsecond of the first look; 0 before it.
  private var begin: UInt32 = 0

  @usableFromInline package init() {}

  /// Counts one element; returns whether the loop should yield, and then has begun a new slice.
  @inlinable
  package mutating func isOver() -> Bool {
    left &-= 1
    return (left <= 0 || asyncKnotTick() != tick) && look()
  }

  /// Begins a new slice; a loop calls this when it suspends for another reason.
  @usableFromInline package mutating func restart() { self = Slice() }

  /// Yields, so that other tasks run on the loop's isolation.
  ///
  /// Static, so that no call in an iterator's `next` borrows the iterator: a waiting task then needs a
  /// kilobyte less. Nonisolated, because a loop would else look at its executor for each element.
  @usableFromInline @inline(never) package static func giveWay() async { await Task.yield() }

  /// Looks at the clock, or counts the elements of an explored run.
  @usableFromInline @inline(never)
  mutating func look() -> Bool {
    tick = asyncKnotTick()
    if Spawn.isExplored {
      guard left <= 0 else { return false }
      left = Self.exploredLength
      return true
    }
    let now =
      UInt32(truncatingIfNeeded: Int((ContinuousClock.now - Self.epoch) / .microseconds(1))) | 1
    if begin == 0 { begin = now }
    guard now &- begin < Self.length / 2 else {
      restart()
      return true
    }
    left = stride
    stride *= 2
    return false
  }

  /// A slice has 16 bytes, so that a task that waits with one needs no second piece of stack.
  private static let epoch = ContinuousClock.now
  /// In microseconds: room for ten thousand cheap elements, while another caller waits less than a
  /// millisecond.
  private static var length: UInt32 { 500 }
  private static var firstLook: Int32 { 4 }
  private static var exploredLength: Int32 { 16 }
}

extension Task where Success == Never, Failure == Never {
  /// `isCancelled` for each element: that one retains the task, and takes as long as a reduction.
  @inlinable package static var isCancelledNow: Bool {
    #if compiler(>=6.4)
      // Nobody has looked yet whether the entry point knows of cancellation shields (SE-0504).
      isCancelled
    #else
      asyncKnotTaskIsCancelled()
    #endif
  }
}

extension AsyncIteratorProtocol {
  /// The next element; `nil` if the task was cancelled before the element is on the caller's
  /// isolation.
  ///
  /// A sequence of others gives an element to a cancelled task, too. All operators and loops of the
  /// package take elements here, with no suspension after this look (S21).
  @inlinable @inline(__always)
  package mutating func nextUnlessCancelled(
    isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> Element? {
    guard let element = try await next(isolation: actor), !Task.isCancelledNow else {
      return nil
    }
    return element
  }
}

extension AsyncSequence {
  /// Calls a body with each element, on one isolation, and yields after each slice; ends when the task
  /// was cancelled before an element is on the isolation.
  @inlinable
  package func forEachInSlices(
    on isolation: isolated (any Actor)?, _ body: (Element) -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let element = try await iterator.nextUnlessCancelled(isolation: isolation) {
      body(element)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}

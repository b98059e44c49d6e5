public import AsyncKnotThread

/// Decides when a loop that never suspends must yield (F1).
///
/// Reading the clock takes as long as handling an element. So a slice reads the clock only after 4, 8, 16, … elements, and ends
/// at the first reading that is past half of the maximum length. If all elements take equally long, the slice then ends before
/// its maximum length. For each element, a slice also checks a coarse tick, and reads the clock if the tick has changed, so that
/// it notices slow elements that follow fast ones. In an exploration, a slice counts elements instead.
@usableFromInline
package struct Slice: Sendable {
  /// The number of elements until the next reading of the clock.
  @usableFromInline var left = Self.firstLook
  /// The number of elements between the next reading of the clock and the one after it.
  private var stride = Self.firstLook
  /// The tick at the last reading or, before the first one, at the start of the slice.
  @usableFromInline var tick = asyncKnotTick()
  /// The low 32 bits of the first reading's time, in microseconds; 0 before that reading.
  private var begin: UInt32 = 0

  @usableFromInline package init() {}

  /// Counts one element.
  ///
  /// Returns `true`, and starts a new slice, if the loop should yield.
  @inlinable
  package mutating func isOver() -> Bool {
    left &-= 1
    return (left <= 0 || asyncKnotTick() != tick) && readClock()
  }

  /// Starts a new slice.
  ///
  /// A loop calls this when it suspends for another reason.
  @usableFromInline package mutating func restart() { self = Slice() }

  /// Yields, so that other tasks run on the loop's isolation.
  ///
  /// This method is static so that a call in an iterator's `next` does not borrow the iterator, which saves a kilobyte for each
  /// suspended task. It is nonisolated because a loop would otherwise look up its executor for each element.
  @usableFromInline @inline(never) package static func yield() async { await Task.yield() }

  /// Reads the clock or, in an exploration, counts elements.
  ///
  /// Returns whether the slice has ended.
  @usableFromInline @inline(never)
  mutating func readClock() -> Bool {
    tick = asyncKnotTick()
    if Spawn.isExplored {
      guard left <= 0 else { return false }
      left = Self.exploredLength
      return true
    }
    let now =
      UInt32(truncatingIfNeeded: Int64((ContinuousClock.now - Self.epoch) / .microseconds(1))) | 1
    if begin == 0 { begin = now }
    guard now &- begin < Self.length / 2 else {
      restart()
      return true
    }
    left = stride
    stride *= 2
    return false
  }

  /// The origin of the 32-bit times.
  ///
  /// With 32-bit times a slice takes 16 bytes, so a suspended task that stores a slice needs no second stack segment.
  private static let epoch = ContinuousClock.now
  /// The maximum length of a slice, in microseconds.
  ///
  /// A slice has room for ten thousand cheap elements, and another caller waits less than a millisecond.
  private static var length: UInt32 { 500 }
  private static var firstLook: Int32 { 4 }
  private static var exploredLength: Int32 { 16 }
}

extension Task where Success == Never, Failure == Never {
  /// Like `isCancelled`, but fast enough to read for each element, because it does not retain the task.
  ///
  /// Reading `isCancelled` takes as long as a reduction.
  @inlinable package static var isCancelledNow: Bool {
    #if compiler(>=6.4)
      // It is not known whether the runtime's entry point respects cancellation shields (SE-0504).
      isCancelled
    #else
      asyncKnotTaskIsCancelled()
    #endif
  }
}

extension AsyncIteratorProtocol {
  /// Returns the next element; `nil` if the task is cancelled before the element reaches the caller's isolation.
  ///
  /// A sequence from another module may return an element to a cancelled task. So all operators and loops of the package take
  /// their elements through this method, and nothing suspends between the method's check and the use of the element (S21).
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
  /// Calls `body` with each element, on one isolation, and yields after each slice.
  ///
  /// The loop also ends if the task is cancelled before the next element reaches the isolation.
  @inlinable
  package func forEachInSlices(
    on isolation: isolated (any Actor)?, _ body: (Element) -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let element = try await iterator.nextUnlessCancelled(isolation: isolation) {
      body(element)
      if slice.isOver() { await Slice.yield() }
    }
  }
}

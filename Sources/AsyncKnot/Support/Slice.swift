public import AsyncKnotThread

/// Decides when a loop that never suspends has to yield (F1).
///
/// Reading the clock costs as much as handling an element, so `isOver()` reads it once per stride,
/// which doubles after a slice of many strides and halves after one of few. After a slow element the
/// coarse tick, which is read for each, has changed. An explored run counts elements.
@usableFromInline
package struct Slice: Sendable {
  /// The number of elements until the next look at the clock.
  @usableFromInline var left: Int32 = 4
  /// The number of elements between two looks at the clock.
  private var stride: UInt8 = 4
  private var looks: UInt8 = 0
  /// The tick at the last look; before the first, at the begin.
  @usableFromInline var tick = asyncKnotTick()
  /// The end of this slice; `nil` before the first look.
  private var end: ContinuousClock.Instant?

  @usableFromInline
  package init() {}

  /// Counts one element; returns whether the loop should yield, and then has begun a new slice.
  @inlinable
  package mutating func isOver() -> Bool {
    left &-= 1
    return (left <= 0 || asyncKnotTick() != tick) && look()
  }

  /// Begins a new slice; a loop calls this when it suspends for another reason.
  @usableFromInline
  package mutating func restart() {
    left = Int32(stride)
    looks = 0
    end = nil
  }

  /// Yields, so that other tasks run on the loop's isolation.
  ///
  /// Static, so that no call in an iterator's `next` borrows the iterator: a waiting task then needs a
  /// kilobyte less. Nonisolated, because a loop would else look at its executor for each element.
  @usableFromInline @inline(never)
  package static func giveWay() async { await Task.yield() }

  /// Looks at the clock; adapts the stride at the end of the slice.
  @usableFromInline @inline(never)
  mutating func look() -> Bool {
    tick = asyncKnotTick()
    if Spawn.isExplored {
      guard left <= 0 else { return false }
      left = Self.exploredLength
      return true
    }
    let now = ContinuousClock.now
    left = Int32(stride)
    looks = min(looks + 1, .max - 1)
    guard let end else {
      end = now + Self.length
      return false
    }
    guard now >= end else { return false }
    stride = looks < Self.fewLooks ? max(stride / 2, 1) : min(stride * 2, Self.longestStride)
    restart()
    return true
  }

  /// Room for ten thousand cheap elements, while another caller waits less than a millisecond.
  private static var length: Duration { .microseconds(500) }
  /// A longer stride saves less than a nanosecond per element.
  private static var longestStride: UInt8 { 16 }
  private static var fewLooks: UInt8 { 8 }
  private static var exploredLength: Int32 { 16 }
}

extension AsyncSequence {
  /// Calls a body with each element, on one isolation, and yields after each slice.
  @inlinable
  package func forEachInSlices(
    on isolation: isolated (any Actor)?, _ body: (Element) -> Void
  ) async throws(Failure) {
    var iterator = makeAsyncIterator()
    var slice = Slice()
    while let element = try await iterator.next(isolation: isolation) {
      body(element)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}

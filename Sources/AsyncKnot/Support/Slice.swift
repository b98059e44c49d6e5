public import AsyncKnotThread

/// Decides when a loop that never suspends has to yield (F1).
///
/// <!-- not compiled: not public -->
/// ```swift
/// var slice = Slice()
/// while let event = await iterator.next(isolation: self) {
///   handle(event)
///   if slice.isOver() { await Slice.giveWay() }
/// }
/// ```
/// Reading the clock costs as much as handling an element, so `isOver()` reads it once per stride
/// of elements. The stride doubles after a slice of many strides and halves after one of few. An
/// element that takes long after many quick ones ends the slice at once: the tick, which is read for
/// each element, has changed. An explored run counts elements instead of reading clocks, so that the
/// same seed gives the same order.
@usableFromInline
package struct Slice: Sendable {
  /// The number of elements until the next look at the clock.
  @usableFromInline var left: Int32 = 4
  /// The number of elements between two looks at the clock.
  private var stride: UInt8 = 4
  /// The number of looks in this slice.
  private var looks: UInt8 = 0
  /// The tick at the last look; 0 before the first.
  @usableFromInline var tick: UInt32 = 0
  /// The end of this slice; `nil` before the first look.
  private var end: ContinuousClock.Instant?

  /// Begins the first slice.
  @usableFromInline
  package init() {}

  /// Counts one element for which the loop did not suspend.
  ///
  /// - Returns: Whether the loop should yield now, with `giveWay()`; then a new slice has begun.
  @inlinable
  package mutating func isOver() -> Bool {
    left &-= 1
    return (left <= 0 || asyncKnotTick() != tick) && look()
  }

  /// Begins a new slice.
  ///
  /// A loop calls this when it suspends for another reason.
  @usableFromInline
  package mutating func restart() {
    left = Int32(stride)
    looks = 0
    end = nil
  }

  /// Yields, so that other tasks run on the loop's isolation.
  ///
  /// It is static, because the compiler merges the frame of an iterator's `next` with the frame of
  /// the loop only if no call in `next` borrows the iterator: a waiting task then needs a kilobyte
  /// less. It is nonisolated, because a loop would else look at its executor for each element.
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

  /// The length of a slice: room for ten thousand cheap elements, and short enough that another
  /// caller waits less than a millisecond.
  private static var length: Duration { .microseconds(500) }
  /// A longer stride saves less than a nanosecond per element.
  private static var longestStride: UInt8 { 16 }
  private static var fewLooks: UInt8 { 8 }
  private static var exploredLength: Int32 { 16 }
}

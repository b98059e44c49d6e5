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
/// of elements. The stride grows while elements are quick and shrinks to one after a slice that held
/// few, because then one element takes long. An explored run counts elements instead of reading the
/// clock, so that the same seed gives the same order.
@usableFromInline
package struct Slice: Sendable {
  /// The number of elements until the next check.
  @usableFromInline var left: Int32 = 4
  /// The number of elements between two reads of the clock.
  private var stride: UInt8 = 4
  /// The number of checks in this slice with the current stride, at most `manyLooks`.
  private var looks: UInt8 = 0
  /// The end of this slice; `nil` before the first read of the clock.
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
    return left <= 0 && look()
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

  /// Checks the clock, or counts the check in an explored run, and adapts the stride.
  ///
  /// - Returns: Whether the slice is over.
  @usableFromInline
  mutating func look() -> Bool {
    looks = min(looks + 1, Self.manyLooks)
    if looks == Self.manyLooks, stride < Self.longestStride {
      stride *= 2
      looks = 0
    }
    left = Int32(stride)
    let isOver = Spawn.isExplored ? looks >= Self.exploredLooks : isTimeOver()
    if isOver { restart() }
    return isOver
  }

  /// Reads the clock, and adapts the stride at the end of the slice.
  private mutating func isTimeOver() -> Bool {
    let now = ContinuousClock.now
    guard let end else {
      end = now + Self.length
      return false
    }
    guard now >= end else { return false }
    if looks <= Self.fewLooks { stride = max(stride / 4, 1) }
    return true
  }

  /// The length of a slice: room for ten thousand cheap elements, and short enough that another
  /// caller waits less than a millisecond.
  private static let length = Duration.microseconds(500)
  /// A longer stride saves less than a nanosecond per element and reacts late when elements become
  /// slow.
  private static var longestStride: UInt8 { 16 }
  private static var manyLooks: UInt8 { 16 }
  private static var fewLooks: UInt8 { 4 }
  private static var exploredLooks: UInt8 { 4 }
}

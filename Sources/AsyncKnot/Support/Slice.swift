/// How long a loop that always finds something goes on before it gives way (F1).
///
/// ```swift
/// var slice = Slice()
/// while let event = await iterator.next(isolation: self) {
///   handle(event)
///   if slice.isOver() { await slice.giveWay() }
/// }
/// ```
/// Reading a clock costs as much as an element, so it is read once in a stride of elements. The stride
/// grows where a slice held many of them, and shrinks to one where it held few, because an element takes
/// long. A run that is explored counts elements instead, so that the same seed gives the same order.
@usableFromInline
package struct Slice: Sendable {
  /// How many elements are still free of any check.
  @usableFromInline var left: Int32 = 4
  /// How many elements there are between two looks at the clock.
  private var stride: UInt8 = 4
  /// How often the clock was looked at in this slice, as far as it matters.
  private var looks: UInt8 = 0
  /// When this slice is over; `nil` before the first look.
  private var end: ContinuousClock.Instant?

  @usableFromInline
  package init() {}

  /// Counts one element that was there at once.
  ///
  /// - Returns: Whether the loop should give way now.
  @inlinable
  package mutating func isOver() -> Bool {
    left &-= 1
    return left <= 0 && look()
  }

  /// Begins a new slice: the loop has suspended by itself.
  @usableFromInline
  package mutating func restart() {
    left = Int32(stride)
    looks = 0
    end = nil
  }

  /// Lets others run on the loop's isolation, then begins a new slice.
  @usableFromInline
  package mutating func giveWay() async {
    await Task.yield()
    restart()
  }

  @usableFromInline
  mutating func look() -> Bool {
    left = Int32(stride)
    looks = min(looks + 1, Self.manyLooks)
    guard !Spawn.isExplored else { return looks >= Self.exploredLooks }
    let now = ContinuousClock.now
    guard let end else {
      end = now + Self.length
      return false
    }
    guard now >= end else { return false }
    if looks == Self.manyLooks {
      stride = min(stride * 2, Self.longestStride)
    } else if looks <= Self.fewLooks {
      stride = max(stride / 4, 1)
    }
    return true
  }

  /// Long enough for ten thousand cheap elements; a caller then waits less than a millisecond.
  private static let length = Duration.microseconds(500)
  /// More would save less than a nanosecond an element, and be late where elements turn slow.
  private static var longestStride: UInt8 { 16 }
  private static var manyLooks: UInt8 { 16 }
  private static var fewLooks: UInt8 { 4 }
  private static var exploredLooks: UInt8 { 4 }
}

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
/// grows while elements are fast and shrinks to one where a single element takes long. A run that is
/// explored counts elements instead, so that the same seed gives the same order.
@usableFromInline
package struct Slice: Sendable {
  /// How many elements are still free of any check.
  @usableFromInline var left: Int32 = 4
  /// How many elements there are between two looks at the clock.
  private var stride: Int32 = 4
  /// How often the clock was looked at in this slice; an exploration counts these instead of time.
  private var looks: Int32 = 0
  /// When this slice was first looked at, and when it was last.
  private var times: (began: ContinuousClock.Instant, last: ContinuousClock.Instant)?

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
    left = stride
    looks = 0
    times = nil
  }

  /// Lets others run on the loop's isolation, then begins a new slice.
  @usableFromInline
  package mutating func giveWay() async {
    await Task.yield()
    restart()
  }

  @usableFromInline
  mutating func look() -> Bool {
    guard !Spawn.isExplored else {
      looks += 1
      left = stride
      return looks >= Self.exploredLooks
    }
    let now = ContinuousClock.now
    guard let times else {
      left = stride
      times = (now, now)
      return false
    }
    let sinceLast = times.last.duration(to: now)
    if sinceLast < Self.length / 16 {
      stride = min(stride * 2, Self.longestStride)
    } else if sinceLast > Self.length / 4 {
      stride = max(stride / 4, 1)
    }
    left = stride
    self.times = (times.began, now)
    return times.began.duration(to: now) >= Self.length
  }

  /// Long enough for a thousand cheap elements, short enough for two frames out of three.
  private static var length: Duration { .milliseconds(1) }
  /// More would save less than a nanosecond an element, and be late where elements turn slow.
  private static var longestStride: Int32 { 16 }
  private static var exploredLooks: Int32 { 4 }
}

/// A walk along two lists, from the front or from the back, that pairs rows by comparing them.
///
/// If the next rows differ, the walk searches for the nearest rows with equal identifiers and skips the rows before them. A
/// search uses up `credit`, and each pair adds to it. The walk ends when the credit is used up, because a table then joins the
/// remaining rows faster.
@usableFromInline
struct Walk {
  /// 1 for a walk from the front, -1 for one from the back.
  @usableFromInline let step: Int
  /// The offsets of the next rows.
  @usableFromInline var old: Int
  @usableFromInline var new: Int
  /// The number of rows left in each list.
  @usableFromInline var oldLeft: Int
  @usableFromInline var newLeft: Int
  @usableFromInline var credit: Int

  @inlinable
  init(old: Int, new: Int) {
    step = 1
    (self.old, self.new) = (0, 0)
    (oldLeft, newLeft) = (old, new)
    // This credit is enough to skip a block of a few percent of the lists.
    credit = 64 &+ (old &+ new) / 32
  }

  /// Creates a walk from the back to the position where a walk from the front ended.
  @inlinable
  init(against front: Walk) {
    step = -1
    (oldLeft, newLeft) = (front.oldLeft, front.newLeft)
    credit = 64 &+ (oldLeft &+ newLeft) / 32
    (old, new) = (front.old &+ oldLeft &- 1, front.new &+ newLeft &- 1)
  }

  @inlinable
  mutating func advance(old oldSteps: Int, new newSteps: Int) {
    old &+= step &* oldSteps
    new &+= step &* newSteps
    oldLeft &-= oldSteps
    newLeft &-= newSteps
  }

  /// Skips rows until the next rows of the two lists have the same identifier.
  ///
  /// The method first tries every way to skip a few rows. Then it tries to skip a longer block in one list, or blocks of equal
  /// length in both. After a longer block, two pairs in succession must match, because a single match may be a moved row.
  ///
  /// - Returns: Whether the walk continues.
  @inlinable
  mutating func reunite<Keying: RowKeying>(
    _ old: RowBuffer<Keying.Row>, _ new: RowBuffer<Keying.Row>, keying: Keying
  ) -> Bool {
    var steps = 1
    while steps <= 6, credit > 0 {
      for oldSteps in 0...steps
      where isAlike(old, new, oldSteps, steps &- oldSteps, keying: keying) {
        advance(old: oldSteps, new: steps &- oldSteps)
        return true
      }
      credit &-= steps
      steps &+= 1
    }
    guard oldLeft > 0, newLeft > 0 else { return false }
    let (nextOld, nextNew) = (keying.id(old[self.old]), keying.id(new[self.new]))
    steps = 7
    while credit > 0, steps < max(oldLeft, newLeft) {
      if steps < oldLeft, keying.id(old[self.old &+ step &* steps]) == nextNew,
        isAlike(old, new, steps &+ 1, 1, keying: keying)
      {
        advance(old: steps, new: 0)
        return true
      }
      if steps < newLeft, keying.id(new[self.new &+ step &* steps]) == nextOld,
        isAlike(old, new, 1, steps &+ 1, keying: keying)
      {
        advance(old: 0, new: steps)
        return true
      }
      if isAlike(old, new, steps, steps, keying: keying),
        isAlike(old, new, steps &+ 1, steps &+ 1, keying: keying)
      {
        advance(old: steps, new: steps)
        return true
      }
      credit &-= 2
      steps &+= 1
    }
    return false
  }

  /// Whether the old row that is `oldSteps` ahead and the new row that is `newSteps` ahead exist and have the same identifier.
  @inlinable
  func isAlike<Keying: RowKeying>(
    _ old: RowBuffer<Keying.Row>, _ new: RowBuffer<Keying.Row>, _ oldSteps: Int, _ newSteps: Int,
    keying: Keying
  ) -> Bool {
    oldSteps < oldLeft && newSteps < newLeft
      && keying.id(old[self.old &+ step &* oldSteps])
        == keying.id(new[self.new &+ step &* newSteps])
  }
}

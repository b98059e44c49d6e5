/// The position of a walk along two lists.
@usableFromInline
struct Walk {
  @usableFromInline var old = 0
  @usableFromInline var new = 0
  /// The number of rows of each list that were entered into the table or passed.
  @usableFromInline var enteredOld = 0
  @usableFromInline var enteredNew = 0
  /// The number of rows ahead that may be compared; each row in step adds one, so comparing stays
  /// linear.
  @usableFromInline var foresight = 64

  /// Whether the walk looks for a pair of rows that both lists have still ahead.
  @usableFromInline var seeksMeeting = false
  @usableFromInline var hasMet = false

  @inlinable
  init() {}

  /// Continues after a pair of rows, if the walk looks for such a pair and both rows are still
  /// ahead.
  @inlinable
  mutating func meets(_ oldRow: Int, _ newRow: Int) -> Bool {
    guard seeksMeeting, oldRow >= old, newRow >= new else { return false }
    old = oldRow &+ 1
    new = newRow &+ 1
    hasMet = true
    return true
  }

  /// Nearby offsets at which the lists continue with the same row; nil if none was found.
  ///
  /// A few rows ahead every combination is tried. Farther ahead one list must skip a whole block,
  /// and its next row must match too, because a single row may just have moved.
  @inlinable
  mutating func reunion<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, keying: Keying
  ) -> (old: Int, new: Int)? {
    let oldAhead = old.count - self.old
    let newAhead = new.count - self.new
    guard oldAhead > 0, newAhead > 0 else { return nil }
    for steps in 1...3 {
      for oldSteps in 0...steps
      where isAlike(old, new, oldSteps, steps &- oldSteps, keying: keying) {
        return (self.old &+ oldSteps, self.new &+ steps &- oldSteps)
      }
    }
    let farthest = min(foresight, max(oldAhead, newAhead))
    var steps = 4
    while steps < farthest {
      if isAlike(old, new, steps, 0, keying: keying),
        isAlike(old, new, steps &+ 1, 1, keying: keying)
      {
        return (self.old &+ steps, self.new)
      }
      if isAlike(old, new, 0, steps, keying: keying),
        isAlike(old, new, 1, steps &+ 1, keying: keying)
      {
        return (self.old, self.new &+ steps)
      }
      steps &+= 1
    }
    foresight = 0
    return nil
  }

  /// Whether the rows these numbers of steps ahead have the same identifier.
  @inlinable
  func isAlike<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, _ oldSteps: Int, _ newSteps: Int,
    keying: Keying
  ) -> Bool {
    let oldRow = self.old &+ oldSteps
    let newRow = self.new &+ newSteps
    return oldRow < old.count && newRow < new.count
      && keying.id(old[oldRow]) == keying.id(new[newRow])
  }
}

/// A list between its old and its new state: some elements have not left yet, others have come
/// already.
///
/// The list is stored as runs of consecutive elements, whose number grows with that of the changes:
/// a list of a million elements of which two change takes four runs.
struct MergedList: Equatable, Sendable {
  /// Consecutive elements of the lists that they are taken from.
  struct Run: Equatable, Sendable {
    /// Whether the elements are in the old list, and in the new one.
    let isOld: Bool
    let isNew: Bool
    /// The offset of the first element in the old and in the new list.
    ///
    /// Where the elements are not in that list, it is that of the next element that comes from there.
    let old: Int
    let new: Int
    /// The offset of the first element in this list.
    let start: Int
    var count: Int
  }

  /// The stages in which elements leave or come, ascending by offset; all other elements stay.
  typealias Schedule = [(offset: Int, stage: Int)]

  private(set) var runs: [Run] = []
  private(set) var count = 0

  /// Creates the list after a stage.
  ///
  /// Elements that are in neither schedule stay, and pair in order. Once one list has ended, the
  /// other list's elements stay without a partner: these are items of a section that only one list
  /// has. An element that has not left stands before one that has come.
  ///
  /// - Complexity: O(scheduled).
  init(
    old oldCount: Int, new newCount: Int, goes: Schedule, comes: Schedule, after stage: Int
  ) {
    var (old, new) = (0, 0)
    var (going, coming) = (goes[...], comes[...])
    while old < oldCount || new < newCount {
      if let next = going.first, next.offset == old {
        if next.stage > stage { append(1, isOld: true, isNew: false, old, new) }
        going.removeFirst()
        old += 1
      } else if let next = coming.first, next.offset == new {
        if next.stage <= stage { append(1, isOld: false, isNew: true, old, new) }
        coming.removeFirst()
        new += 1
      } else {
        let oldRest = (going.first?.offset ?? oldCount) - old
        let newRest = (coming.first?.offset ?? newCount) - new
        let isOld = new == newCount || oldRest > 0
        let isNew = old == oldCount || newRest > 0
        let length = isOld && isNew ? min(oldRest, newRest) : isOld ? oldRest : newRest
        append(length, isOld: isOld, isNew: isNew, old, new)
        if isOld { old += length }
        if isNew { new += length }
      }
    }
  }

  private mutating func append(_ length: Int, isOld: Bool, isNew: Bool, _ old: Int, _ new: Int) {
    let run = Run(isOld: isOld, isNew: isNew, old: old, new: new, start: count, count: length)
    if let last = runs.last, last.isFollowed(by: run) {
      runs[runs.count - 1].count += length
    } else {
      runs.append(run)
    }
    count += length
  }

  /// The position of an element of the old list that has not left.
  ///
  /// - Complexity: O(log runs).
  func position(ofOld offset: Int) -> Int { position(of: offset, \.old, isThere: \.isOld) }

  /// The position of an element of the new list that has come.
  ///
  /// - Complexity: O(log runs).
  func position(ofNew offset: Int) -> Int { position(of: offset, \.new, isThere: \.isNew) }

  private func position(
    of offset: Int, _ first: (Run) -> Int, isThere: (Run) -> Bool
  ) -> Int {
    let next = partitionPoint(0..<runs.count) { first(runs[$0]) > offset }
    guard next > 0, case let run = runs[next - 1], isThere(run), offset < first(run) + run.count
    else { fatalError("a stage has lost element \(offset) of a list") }
    return run.start + offset - first(run)
  }
}

extension MergedList.Run {
  fileprivate func isFollowed(by next: Self) -> Bool {
    next.isOld == isOld && next.isNew == isNew
      && (!isOld || next.old == old + count) && (!isNew || next.new == new + count)
  }
}

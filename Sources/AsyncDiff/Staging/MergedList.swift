/// A list between its old and its new state: some elements have not left yet, others have come
/// already.
///
/// The list is stored as runs of consecutive elements, whose number grows with that of the changes:
/// a list of a million elements of which two change takes four runs.
struct MergedList: Equatable, Sendable {
  /// Consecutive elements of the lists that they are taken from.
  struct Run: Equatable, Sendable {
    /// The offset of the first element in the old list, if the elements are in it.
    var old: Int?
    /// The offset of the first element in the new list, if the elements are in it.
    var new: Int?
    var count: Int
  }

  /// The stages in which elements leave or come, ascending by offset; all other elements stay.
  typealias Schedule = [(offset: Int, stage: Int)]

  private(set) var runs: [Run] = []
  private(set) var count = 0
  /// The offset of each run in this list.
  private var starts: [Int] = []
  /// The runs that have elements of the old list, and of the new one.
  private var oldRuns: [Int] = []
  private var newRuns: [Int] = []

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
        if next.stage > stage { append(Run(old: old, new: nil, count: 1)) }
        going.removeFirst()
        old += 1
      } else if let next = coming.first, next.offset == new {
        if next.stage <= stage { append(Run(old: nil, new: new, count: 1)) }
        coming.removeFirst()
        new += 1
      } else {
        let oldRest = (going.first?.offset ?? oldCount) - old
        let newRest = (coming.first?.offset ?? newCount) - new
        let isOld = new == newCount || oldRest > 0
        let isNew = old == oldCount || newRest > 0
        let length = isOld && isNew ? min(oldRest, newRest) : isOld ? oldRest : newRest
        append(Run(old: isOld ? old : nil, new: isNew ? new : nil, count: length))
        if isOld { old += length }
        if isNew { new += length }
      }
    }
  }

  private mutating func append(_ run: Run) {
    if let last = runs.last, last.follows(before: run) {
      runs[runs.count - 1].count += run.count
    } else {
      if run.old != nil { oldRuns.append(runs.count) }
      if run.new != nil { newRuns.append(runs.count) }
      starts.append(count)
      runs.append(run)
    }
    count += run.count
  }

  /// The position of an element of the old list that has not left.
  ///
  /// - Complexity: O(log runs).
  func position(ofOld offset: Int) -> Int { position(of: offset, in: oldRuns, \.old) }

  /// The position of an element of the new list that has come.
  ///
  /// - Complexity: O(log runs).
  func position(ofNew offset: Int) -> Int { position(of: offset, in: newRuns, \.new) }

  private func position(of offset: Int, in named: [Int], _ start: (Run) -> Int?) -> Int {
    let next = partitionPoint(0..<named.count) { start(runs[named[$0]]) ?? 0 > offset }
    guard next > 0, let first = start(runs[named[next - 1]]),
      offset < first + runs[named[next - 1]].count
    else { preconditionFailure("a stage has lost element \(offset) of a list") }
    return starts[named[next - 1]] + offset - first
  }
}

extension MergedList.Run {
  fileprivate func follows(before next: Self) -> Bool {
    next.old == old.map { $0 + count } && next.new == new.map { $0 + count }
  }
}

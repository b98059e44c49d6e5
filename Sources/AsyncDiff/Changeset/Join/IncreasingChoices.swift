/// The longest increasing subsequences of a list of numbers, to choose one of them.
///
/// Elements that are not in the chosen subsequence move. Every choice takes the fewest moves; the
/// choices differ in the elements that move, and some elements should stay if possible.
struct IncreasingChoices {
  /// An element that is in at least one longest subsequence.
  struct Member: Equatable {
    var position: Int
    var value: Int
  }

  /// The members by their place in the subsequence; within a level, positions ascend and values descend.
  private(set) var levels: [[Member]]

  init(levels: [[Member]]) {
    self.levels = levels
  }

  /// Finds the members of a list of distinct numbers.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ values: [Int]) {
    var tops: [Int] = []
    let piles = values.map { value in
      let pile = partitionPoint(0..<tops.count) { tops[$0] >= value }
      if pile == tops.count { tops.append(value) } else { tops[pile] = value }
      return pile
    }
    self.init(levels: Array(repeating: [], count: tops.count))
    // The greatest member of each level so far, from the end.
    var greatest = Array(repeating: Int.min, count: tops.count) + [Int.max]
    for position in values.indices.reversed() {
      let (value, pile) = (values[position], piles[position])
      guard greatest[pile + 1] > value else { continue }
      greatest[pile] = max(greatest[pile], value)
      levels[pile].append(Member(position: position, value: value))
    }
    for level in levels.indices { levels[level].reverse() }
  }

  /// The positions of the subsequence with the highest sum of scores.
  ///
  /// The possible predecessors of a member are a window of the previous level, and both ends of the
  /// window only move forward. So the best of each window costs O(1), amortised.
  ///
  /// - Parameter score: The score of a member.
  /// - Returns: The positions, ascending.
  /// - Complexity: O(members).
  func best(score: (Member) -> Int) -> [Int] {
    guard let first = levels.first, let last = levels.last else { return [] }
    var sums = first.map(score)
    var parents: [[Int]] = [first.map { _ in -1 }]
    for (before, level) in zip(levels, levels.dropFirst()) {
      var newSums: [Int] = []
      var newParents: [Int] = []
      var (next, head) = (0, 0)
      // The members of the window after which no later one has a sum as high.
      var candidates: [Int] = []
      for member in level {
        while next < before.count, before[next].position < member.position {
          while candidates.count > head, let top = candidates.last, sums[top] <= sums[next] {
            candidates.removeLast()
          }
          candidates.append(next)
          next += 1
        }
        while before[candidates[head]].value >= member.value { head += 1 }
        newSums.append(sums[candidates[head]] + score(member))
        newParents.append(candidates[head])
      }
      sums = newSums
      parents.append(newParents)
    }
    var place = last.indices.max { sums[$0] < sums[$1] } ?? 0
    var positions: [Int] = []
    for level in levels.indices.reversed() {
      positions.append(levels[level][place].position)
      place = parents[level][place]
    }
    return positions.reversed()
  }

  /// Tries subsequences one after another, at most `limit`.
  ///
  /// The members are chosen from the last level to the first one, without recursion: there may be
  /// as many levels as a list has sections. Each member has one before it, so no choice is in vain.
  ///
  /// - Returns: The first one that the predicate accepts; nil if none of those is accepted.
  /// - Complexity: O(members) for each one tried.
  func first(ofAtMost limit: Int, where isGood: ([Int]) -> Bool) -> [Int]? {
    guard !levels.isEmpty else { return isGood([]) ? [] : nil }
    var tried = 0
    var chosen: [Member] = []
    // The place of the next member to try, for the level of each chosen member and the one before.
    var places = [0]
    while let place = places.last, tried < limit {
      let level = levels.count - places.count
      guard place < levels[level].count else {
        places.removeLast()
        _ = chosen.popLast()
        continue
      }
      places[places.count - 1] += 1
      let member = levels[level][place]
      if let next = chosen.last {
        guard member.position < next.position, member.value < next.value else { continue }
      }
      chosen.append(member)
      guard level == 0 else {
        places.append(0)
        continue
      }
      tried += 1
      let positions = chosen.reversed().map(\.position)
      if isGood(positions) { return positions }
      chosen.removeLast()
    }
    return nil
  }
}

/// The first number of the range that satisfies the predicate; the upper bound if there is none.
///
/// The predicate must hold for all numbers after one for which it holds.
///
/// - Complexity: O(log *n*).
func partitionPoint(_ range: Range<Int>, where predicate: (Int) -> Bool) -> Int {
  var range = range
  while !range.isEmpty {
    let middle = range.lowerBound + range.count / 2
    range =
      predicate(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
  }
  return range.lowerBound
}

/// The first number of the range that satisfies the predicate; the upper bound if there is none.
///
/// The predicate must hold for all numbers after one for which it holds.
///
/// - Complexity: O(log *n*).
@inlinable
func partitionPoint(_ range: Range<Int>, where predicate: (Int) -> Bool) -> Int {
  var range = range
  while !range.isEmpty {
    let middle = range.lowerBound + range.count / 2
    range =
      predicate(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
  }
  return range.lowerBound
}

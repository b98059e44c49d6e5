/// The first number of a range that satisfies a predicate, found in O(log *n*); the upper bound if none does.
///
/// If the predicate holds for a number, it must hold for all later ones.
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

/// A number that tasks share.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// Adds one.
  ///
  /// - Returns: The number before the call.
  @discardableResult
  func increment() -> Int { number.add(1, ordering: .sequentiallyConsistent).oldValue }

  func decrement() { number.subtract(1, ordering: .sequentiallyConsistent) }

  func set(_ value: Int) { number.store(value, ordering: .sequentiallyConsistent) }
}

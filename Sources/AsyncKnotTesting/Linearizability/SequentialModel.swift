/// What a subject is to do when its operations come one after another.
///
/// ```swift
/// struct CounterModel: SequentialModel {
///   enum Operation: Sendable { case add(Int), value }
///   var value = 0
///   mutating func apply(_ operation: Operation) -> Int? {
///     switch operation {
///     case .add(let amount): value += amount; return nil
///     case .value: return value
///     }
///   }
/// }
/// ```
public protocol SequentialModel: Hashable, Sendable {
  /// What can be done.
  associatedtype Operation: Sendable
  /// What an operation answers.
  associatedtype Response: Equatable & Sendable

  /// Carries out one operation.
  ///
  /// - Parameter operation: What is done.
  /// - Returns: What a right subject answers.
  mutating func apply(_ operation: Operation) -> Response
}

/// Describes the answers of a subject whose operations come one after another.
///
/// ```swift
/// struct CounterModel: SequentialModel {
///   enum Operation: Sendable { case add(Int), value }
///   var value = 0
///   mutating func apply(_ operation: Operation) -> Int? {
///     switch operation {
///     case .add(let amount):
///       value += amount
///       return nil
///     case .value: return value
///     }
///   }
/// }
/// ```
/// The model is a value: a check keeps many copies of it, compares them and hashes them.
public protocol SequentialModel: Hashable, Sendable {
  /// One call of the subject, with its arguments.
  associatedtype Operation: Sendable
  /// The answer to an operation.
  associatedtype Response: Equatable & Sendable

  /// Carries out one operation on the model.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: The answer that a correct subject in the same state gives.
  mutating func apply(_ operation: Operation) -> Response

  /// Whether a correct subject in the same state lets the operation wait, so that it may never return.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: `false`, unless the model says otherwise.
  func waits(_ operation: Operation) -> Bool
}

extension SequentialModel {
  /// No operation waits.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: `false`.
  public func waits(_ operation: Operation) -> Bool { false }
}

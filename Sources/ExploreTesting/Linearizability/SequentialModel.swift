/// Describes the responses of a subject whose operations run one after another.
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
/// The model is a value type: a check copies, compares and hashes it many times.
public protocol SequentialModel: Hashable, Sendable {
  /// One call to the subject, with its arguments.
  associatedtype Operation: Sendable
  /// The response to an operation.
  associatedtype Response: Equatable & Sendable

  /// Performs one operation on the model.
  ///
  /// - Parameter operation: The operation to perform.
  /// - Returns: The response of a correct subject in the state of this model.
  mutating func apply(_ operation: Operation) -> Response

  /// Returns whether a correct subject in the state of this model makes the operation wait, possibly forever.
  ///
  /// - Parameter operation: The operation to check.
  /// - Returns: `true` if the operation waits. The default implementation returns `false`.
  func waits(_ operation: Operation) -> Bool
}

extension SequentialModel {
  /// The default: no operation waits.
  ///
  /// - Parameter operation: Ignored.
  /// - Returns: `false`.
  public func waits(_ operation: Operation) -> Bool { false }
}

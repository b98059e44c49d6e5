/// A value with an identity that outlives changes of its content.
///
/// ```swift
/// struct Message: Diffable, Equatable {
///   var diffIdentifier: Int { number }
///   let number: Int
///   var text: String
/// }
/// ```
/// Two rows with equal identifiers are the same row; `==` decides whether its content changed.
/// Identifiers should be unique within a list. If they are not, rows with equal identifiers pair in
/// order.
public protocol Diffable<DiffIdentifier> {
  /// The type of the identity: an integer, a string, a UUID.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of this row, which it has in every list.
  var diffIdentifier: DiffIdentifier { get }
}

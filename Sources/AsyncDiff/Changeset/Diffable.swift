/// A value with an identity that outlives changes of its content.
///
/// ```swift
/// struct Message: Diffable, Equatable {
///   let number: Int  // given by the server, for ever
///   var text: String
///   var isRead: Bool
///
///   var diffIdentifier: Int { number }
/// }
/// ```
/// Two rows with equal identifiers are the same row; whether its content changed is what `==` says.
/// Identifiers should be unique within a list. Where they are not, nothing breaks: equal ones pair in
/// order.
public protocol Diffable<DiffIdentifier> {
  /// The type of the identity: an integer, a string, a UUID.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// What makes this row the same row in another list.
  var diffIdentifier: DiffIdentifier { get }
}

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
/// Two rows with equal identifiers are the same row; `==` decides whether its content changed.
/// Identifiers should be unique within a list. If they are not, as many rows with equal identifiers
/// pair as can.
public protocol Diffable<DiffIdentifier> {
  /// The type of the identity: an integer, a string, a UUID.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of this row, which it has in every list.
  var diffIdentifier: DiffIdentifier { get }
}

/// A value with an identity that outlives changes of its content.
///
/// ```swift
/// struct Message: Diffable, Equatable, Identifiable {
///   let id: Int  // given by the server, for ever
///   var text: String
///   var isRead: Bool
/// }
/// ```
/// A type that is not `Identifiable` says its ``diffIdentifier`` itself.
///
/// Two rows with equal identifiers are the same row; `==` decides whether its content changed.
/// Identifiers should be unique within a list. If they are not, as many rows with equal identifiers
/// pair as can.
public protocol Diffable<DiffIdentifier>: SendableMetatype {
  /// The type of the identity: an integer, a string, a UUID.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of this row, which it has in every list.
  ///
  /// It must equal itself. One that does not, a `Double` that is not a number for instance, ends the program
  /// with a message where rows are looked up by their identifiers: its row would never be found again.
  var diffIdentifier: DiffIdentifier { get }
}

extension Diffable where Self: Identifiable, ID: Sendable {
  /// The `id` of the value.
  @inlinable
  public var diffIdentifier: ID { id }
}

/// A value with an identity that does not change when its content changes.
///
/// ```swift
/// struct Message: Diffable, Equatable, Identifiable {
///   let id: Int  // assigned by the server, never changes
///   var text: String
///   var isRead: Bool
/// }
/// ```
/// An `Identifiable` type uses its `id` as the identifier if the `id` is `Sendable`; any other type implements
/// ``diffIdentifier``.
///
/// Two rows with equal identifiers are the same row; `==` decides whether its content changed. Identifiers should be unique
/// within a list. If some rows share an identifier, as many old rows as possible are paired with new rows.
public protocol Diffable<DiffIdentifier>: SendableMetatype {
  /// The type of the identifier, such as an integer, a string or a UUID.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identifier of this row, the same in every list.
  ///
  /// The identifier must be equal to itself. The program traps when an identifier that is not, such as NaN, is stored for later
  /// lookups, because no lookup could find the row again.
  var diffIdentifier: DiffIdentifier { get }
}

extension Diffable where Self: Identifiable, ID: Sendable {
  /// The `id` of the value.
  @inlinable
  public var diffIdentifier: ID { id }
}

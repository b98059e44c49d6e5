/// A value with an identity that stays the same while its content changes.
///
/// Two values with one identifier are the same row, before and after; whether the row has to be
/// drawn again is what `==` decides.
///
/// ```swift
/// struct Article: Diffable, Equatable {
///   let id: Int
///   var title: String
///   var diffIdentifier: Int { id }
/// }
/// ```
public protocol Diffable {
  /// What tells one value from another: a number, a string, or any small hashable value.
  associatedtype DiffIdentifier: Hashable & Sendable

  /// The identity of this value within its list, best unique there.
  var diffIdentifier: DiffIdentifier { get }
}

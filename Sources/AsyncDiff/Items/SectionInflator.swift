/// A section of a list: a model with an identity that gives the items it stands for.
///
/// A snapshot asks for the items once and keeps them.
///
/// ```swift
/// enum HomeSection: SectionInflator {
///   case banner(Banner)
///   case articles(day: Int, [Article])
///
///   var diffIdentifier: Int {
///     switch self {
///     case .banner: -1
///     case .articles(let day, _): day
///     }
///   }
///   var items: [AnyNodable] {
///     switch self {
///     case .banner(let banner): [AnyNodable(banner)]
///     case .articles(_, let articles): articles.map(AnyNodable.init)
///     }
///   }
/// }
/// ```
public protocol SectionInflator: Diffable, Equatable, Sendable {
  /// The type of the items: one model, or `AnyNodable` for a mixture.
  associatedtype Item: Nodable = AnyNodable

  /// The items of the section, in the order shown.
  var items: [Item] { get }
}

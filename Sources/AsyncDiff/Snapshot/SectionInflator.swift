/// A section of a list: a model that has an identity and provides the section's items.
///
/// A snapshot reads the items once and keeps them.
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
///
/// If a section shows more than its items, return the other data, such as the title of a header, as ``content``:
///
/// ```swift
/// struct Day: SectionInflator {
///   let number: Int
///   let title: String
///   let items: [Article]
///   var diffIdentifier: Int { number }
///   var content: String { title }   // a new title reaches the surface as an update of the section
/// }
/// ```
public protocol SectionInflator: Diffable, Equatable, Sendable {
  /// The type of the items: a model, or `AnyNodable` for models of several types.
  associatedtype Item: Diffable & Equatable & Sendable

  /// The type of the section's own content.
  associatedtype Content: Equatable & Sendable = NoContent

  /// The items of the section, in the order shown.
  var items: [Item] { get }

  /// The section's own content, such as the title of its header or the sum in its footer.
  ///
  /// Two sections with the same identifier but different content count as the same section with changed content.
  var content: Content { get }
}

extension SectionInflator where Content == NoContent {
  /// No content: only the items are shown.
  public var content: NoContent { NoContent() }
}

/// The content of a section that shows only its items.
public struct NoContent: Hashable, Sendable, Codable {
  /// Creates the only value of this type.
  public init() {}
}

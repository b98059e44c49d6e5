/// The error of an edit that was refused: the snapshot or the tree has not changed.
public struct EditError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error,
  Hashable
{
  /// What was wrong with the identifiers given.
  public enum Problem: Hashable, Sendable {
    /// No section has this identifier.
    case unknownSection(SectionID)
    /// No item has this identifier.
    case unknownItem(ItemID)
    /// A section with this identifier is there already, or was given twice.
    case duplicateSection(SectionID)
    /// An item with this identifier is there already, or was given twice.
    case duplicateItem(ItemID)
    /// An item of a tree would stand below itself.
    case insideItself(ItemID)
  }

  /// The edit that was refused.
  public let call: String
  /// What was wrong with the identifiers given.
  public let problem: Problem

  @usableFromInline
  init(_ problem: Problem, in call: String = #function) {
    self.call = call
    self.problem = problem
  }
}

extension EditError: CustomStringConvertible {
  /// The edit, the rule and the identifier.
  public var description: String {
    switch problem {
    case .unknownSection(let id): "\(call): no section has the identifier \(id)"
    case .unknownItem(let id): "\(call): no item has the identifier \(id)"
    case .duplicateSection(let id): "\(call): a section already has the identifier \(id)"
    case .duplicateItem(let id): "\(call): an item already has the identifier \(id)"
    case .insideItself(let id): "\(call): the item \(id) cannot stand below itself"
    }
  }
}

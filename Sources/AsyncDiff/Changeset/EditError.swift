/// The error that a refused edit throws; a refused edit changes nothing.
public struct EditError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error,
  Hashable
{
  /// The reason for refusing an edit, with the identifier that caused the refusal.
  public enum Problem: Hashable, Sendable {
    /// No section has this identifier.
    case unknownSection(SectionID)
    /// No item has this identifier.
    case unknownItem(ItemID)
    /// A section with this identifier already exists, or was passed twice.
    case duplicateSection(SectionID)
    /// An item with this identifier already exists, or was passed twice.
    case duplicateItem(ItemID)
    /// The edit would move an item of a tree into its own subtree.
    case insideItself(ItemID)
  }

  /// The method that was called.
  public let call: String
  /// The reason for the refusal, with the identifier.
  public let problem: Problem

  @usableFromInline
  init(_ problem: Problem, in call: String = #function) {
    self.call = call
    self.problem = problem
  }
}

extension EditError: CustomStringConvertible {
  /// The method, the problem and the identifier.
  public var description: String {
    switch problem {
    case .unknownSection(let id): "\(call): no section has the identifier “\(id)”"
    case .unknownItem(let id): "\(call): no item has the identifier “\(id)”"
    case .duplicateSection(let id): "\(call): section “\(id)” already exists, or was passed twice"
    case .duplicateItem(let id): "\(call): item “\(id)” already exists, or was passed twice"
    case .insideItself(let id): "\(call): item “\(id)” cannot be moved into its own subtree"
    }
  }
}

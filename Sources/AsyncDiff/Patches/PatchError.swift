/// Why a patch cannot be carried out: it does not fit the snapshot, or contradicts itself.
public enum PatchError: Error, Hashable, Sendable {
  /// There are more stages than any change needs: this many.
  case tooManyStages(Int)
  /// An offset names no section: the offset, and how many there are.
  case noSection(Int, count: Int)
  /// Two operations take one section out, put one in at one place, or update one.
  case sectionTwice(Int)
  /// A section is updated that comes with the stage.
  case newSectionUpdated(Int)
  /// A path names no item: the path, and how many items its section has.
  case noItem(ItemPath, count: Int)
  /// Two operations take one item out, put one in at one place, or update one.
  case itemTwice(ItemPath)
  /// An item leaves or enters a section that goes, comes or moves in this stage: it does so with all its
  /// items.
  case itemOfPassingSection(ItemPath)
  /// An item is updated that comes with the stage.
  case newItemUpdated(ItemPath)
  /// The content of an update is that of another item.
  case otherItem(ItemPath)
}

extension PatchError: CustomStringConvertible {
  /// The value and the rule.
  public var description: String {
    switch self {
    case .tooManyStages(let count): "\(count) stages, but no patch needs more than 3"
    case .noSection(let offset, let count): "section \(offset) is out of bounds; there are \(count)"
    case .sectionTwice(let offset): "section \(offset) is named twice"
    case .newSectionUpdated(let offset):
      "section \(offset) is updated, but comes with this stage"
    case .noItem(let path, let count):
      "item \(path) is out of bounds; the section has \(count) items"
    case .itemTwice(let path): "item \(path) is named twice"
    case .itemOfPassingSection(let path):
      "item \(path) is named, but its whole section goes, comes or moves in this stage"
    case .newItemUpdated(let path): "item \(path) is updated, but comes with this stage"
    case .otherItem(let path): "the update of item \(path) has another identifier"
    }
  }
}

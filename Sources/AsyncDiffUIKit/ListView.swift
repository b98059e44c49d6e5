package import AsyncDiff

/// What a ``ListSurface`` asks of a view; the files for UIKit put it into UIKit's words.
///
/// Paths of deletes and of `from` are those before the batch, all others those after it.
@MainActor package protocol ListView: AnyObject {
  /// Whether the view is there, and in a window: only then it carries out batches.
  var isInWindow: Bool { get }

  /// Whether the view must be left alone: the user holds a row, or a drop has rows that the data does not have yet.
  var isHeld: Bool { get }

  /// The rows that are selected; none after a reload.
  var selection: [ItemPath] { get }
  /// Selects rows, and tells nobody.
  func select(_ paths: [ItemPath])

  /// Asks for all sections and rows anew, at the next layout.
  func reload()
  /// Runs a change of the view with its animations, or without any.
  func animate(_ isOn: Bool, _ change: () -> Void)
  /// Runs a closure that says what comes and goes; the numbers of rows are asked for before it, and after it.
  func perform(_ batch: @escaping () -> Void, completion: @escaping @MainActor () -> Void)

  func deleteSections(_ sections: [Int])
  func insertSections(_ sections: [Int])
  func moveSection(from: Int, to: Int)
  func deleteRows(_ paths: [ItemPath])
  func insertRows(_ paths: [ItemPath])
  func moveRow(from: ItemPath, to: ItemPath)

  /// Fills the cells of rows again; each row keeps its cell.
  func updateRows(_ paths: [ItemPath])
  /// Shows rows in new cells.
  func replaceRows(_ paths: [ItemPath])
  /// Fills the headers, footers and other views of sections again, as far as they are on screen, and gives them their size.
  func updateSections(_ sections: [Int])
}

package import AsyncDiff

/// The view of a ``ListSurface``; the adapters implement it with UIKit.
///
/// Deletions and the `from` of a move use positions before the batch; all other operations use positions after it.
@MainActor package protocol ListView: AnyObject {
  /// Whether the view is in a window and shows this list; if not, the list reloads the view instead of performing a batch.
  var isInWindow: Bool { get }

  /// The paths of the rows on the screen.
  var visibleRows: [ItemPath] { get }

  /// Whether the user is dragging a row, or has dropped rows that are not in the data yet.
  var isHeld: Bool { get }

  /// The paths of the selected rows; empty after a reload.
  var selection: [ItemPath] { get }
  /// Selects rows without notifying the delegate.
  func select(_ paths: [ItemPath])

  /// Makes the view ask for all sections and rows again at its next layout.
  func reload()
  /// Runs a change of the view, with or without animations.
  func animate(_ isOn: Bool, _ change: () -> Void)
  /// Runs a closure that inserts, removes and moves rows; the view asks for the number of rows before and after the closure.
  func perform(_ batch: @escaping () -> Void, completion: @escaping @MainActor () -> Void)

  func deleteSections(_ sections: [Int])
  func insertSections(_ sections: [Int])
  func moveSection(from: Int, to: Int)
  func deleteRows(_ paths: [ItemPath])
  func insertRows(_ paths: [ItemPath])
  func moveRow(from: ItemPath, to: ItemPath)

  /// Fills the cells of rows again, so each row keeps its cell.
  func updateRows(_ paths: [ItemPath])
  /// Shows rows in new cells.
  func replaceRows(_ paths: [ItemPath])
  /// Fills the visible headers, footers and other views of sections again, and updates their sizes.
  func updateSections(_ sections: [Int])
}

/// The rule of a collection view that a batch breaks.
///
/// <!-- sample:
/// var rows = StrictRows(old)
/// let batch = old.batches(to: new)[0]
/// -->
/// ```swift
/// do { try rows.perform(batch) } catch { print(error) }
/// // itemDeletes: [0, 7] is out of bounds; section 0 had 5 items
/// ```
public struct BatchViolation: Error, Hashable, CustomStringConvertible {
  /// The rule that was broken.
  public enum Rule: Hashable, Sendable {
    /// An offset or a path names nothing.
    case outOfBounds
    /// One section or item is named by two operations that exclude each other, or twice by one.
    case namedTwice
    /// An item operation reaches into a section that the same batch deletes.
    case deletedSection
    /// An item operation reaches into a section that the same batch inserts.
    case insertedSection
    /// An item operation other than an update reaches into a section that the same batch moves.
    case movedSection
    /// The number of sections or items after the batch does not follow from its operations.
    case countMismatch
    /// A section or row ends where the snapshot has another.
    case wrongPlace
    /// An item changed and no update says so.
    case missingUpdate
    /// A cell was built for a row that is neither inserted nor updated.
    case strayNode
    /// A call came while another was still being carried out.
    case overlap
    /// A batch came before the first reload.
    case notLoaded
  }

  /// The rule that was broken.
  public let rule: Rule
  /// The operation, the rule and the place, in words.
  public let description: String

  init(_ rule: Rule, _ description: String) {
    self.rule = rule
    self.description = description
  }
}

/// An error that describes how a batch breaks a rule of collection views.
///
/// <!-- sample:
/// var rows = StrictRows(old)
/// let batch = old.batches(to: new)[0]
/// -->
/// ```swift
/// do { try rows.perform(batch) } catch { print(error) }
/// // itemDeletes: [0, 7] is out of bounds; the number of items in section 0 was 5
/// ```
public struct BatchViolation: Error, Hashable, CustomStringConvertible {
  /// The broken rule.
  public enum Rule: Hashable, Sendable {
    /// An offset or a path is out of bounds.
    case outOfBounds
    /// A section or an item is named twice, by one kind of operation or by two kinds that exclude each other.
    case namedTwice
    /// An item operation is in a section that the batch deletes.
    case deletedSection
    /// An item operation is in a section that the batch inserts.
    case insertedSection
    /// An item operation other than an update is in a section that the batch moves.
    case movedSection
    /// The number of sections or items after the batch does not match its operations.
    case countMismatch
    /// A section or row is not where the batch's snapshot, or an update of the batch, says that it is.
    case wrongPlace
    /// An item, or the content of a section, changed without an update.
    case missingUpdate
    /// The batch contains a cell for a row that is neither inserted nor updated.
    case strayNode
    /// A call began before another one had returned.
    case overlap
    /// A batch arrived before the first reload.
    case notLoaded
  }

  /// The broken rule.
  public let rule: Rule
  /// A sentence that describes the violation, with the operation and the position if there are any.
  public let description: String

  init(_ rule: Rule, _ description: String) {
    self.rule = rule
    self.description = description
  }
}

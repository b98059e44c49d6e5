/// Identifies and compares the rows of a diff.
///
/// The diff is generic over this type instead of calling closures, so that the compiler specializes it for each type of row.
@usableFromInline
protocol RowKeying {
  associatedtype Row
  associatedtype ID: Hashable
  func id(_ row: Row) -> ID
  func isContentEqual(_ old: Row, _ new: Row) -> Bool
  func likeness(_ old: Row, _ new: Row) -> Likeness
}

@usableFromInline
enum Likeness: Sendable {
  /// The identifiers of the two rows differ.
  case none
  /// Only the identifiers of the two rows are equal.
  case identifier
  /// The identifiers and the contents of the two rows are equal.
  case content
}

extension RowKeying {
  @inlinable
  func likeness(_ old: Row, _ new: Row) -> Likeness {
    guard id(old) == id(new) else { return .none }
    return isContentEqual(old, new) ? .content : .identifier
  }
}

extension RowKeying where Row: Diffable & Equatable {
  @inlinable
  func id(_ row: Row) -> Row.DiffIdentifier { row.diffIdentifier }

  @inlinable
  func isContentEqual(_ old: Row, _ new: Row) -> Bool { old == new }
}

@usableFromInline
struct DiffableKeying<Row: Diffable & Equatable>: RowKeying {
  @inlinable
  init() {}
}

@usableFromInline
struct ClosureKeying<Row, ID: Hashable>: RowKeying {
  @usableFromInline let identify: (Row) -> ID
  @usableFromInline let compare: (Row, Row) -> Bool

  @inlinable
  init(id: @escaping (Row) -> ID, isContentEqual: @escaping (Row, Row) -> Bool) {
    identify = id
    compare = isContentEqual
  }

  @inlinable
  func id(_ row: Row) -> ID { identify(row) }

  @inlinable
  func isContentEqual(_ old: Row, _ new: Row) -> Bool { compare(old, new) }
}

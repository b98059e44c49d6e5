/// The order of rows by one key, or by several.
@usableFromInline
struct RowOrder<Row>: Sendable {
  /// Compares two rows.
  @usableFromInline let compare: @Sendable (Row, Row) -> KeyOrder
  /// Compares rows of a list by their places: each key is read once.
  @usableFromInline let places: @Sendable ([Row]) -> (Int, Int) -> KeyOrder

  @usableFromInline
  init(
    compare: @escaping @Sendable (Row, Row) -> KeyOrder,
    places: @escaping @Sendable ([Row]) -> (Int, Int) -> KeyOrder
  ) {
    self.compare = compare
    self.places = places
  }

  /// This order, and another one for rows that are the same by it.
  func then(_ next: RowOrder) -> RowOrder {
    RowOrder { [compare] lhs, rhs in
      let order = compare(lhs, rhs)
      return order == .same ? next.compare(lhs, rhs) : order
    } places: { [places] rows in
      let (first, second) = (places(rows), next.places(rows))
      return { lhs, rhs in
        let order = first(lhs, rhs)
        return order == .same ? second(lhs, rhs) : order
      }
    }
  }
}

/// Whether a key comes before another one.
@usableFromInline
enum KeyOrder: Sendable {
  case before, same, behind

  /// Whether it is before; a tie is broken.
  @inlinable
  func isBefore(orElse tie: @autoclosure () -> Bool) -> Bool {
    self == .before || self == .same && tie()
  }

  /// Compares two keys; those that do not equal themselves come behind all others.
  ///
  /// `<` alone would be no order: a NaN is neither before nor behind any number.
  @inlinable
  init<Key: Comparable>(_ lhs: Key, _ rhs: Key, _ direction: SortDirection = .ascending) {
    if lhs < rhs {
      self = direction == .ascending ? .before : .behind
    } else if rhs < lhs {
      self = direction == .ascending ? .behind : .before
    } else if lhs == rhs || (lhs == lhs) == (rhs == rhs) {
      self = .same
    } else {
      self = lhs == lhs ? .before : .behind
    }
  }
}

/// The order of rows by one key, or by several.
@usableFromInline
struct RowOrder<Row>: Sendable {
  /// Compares rows of a list by their places.
  @usableFromInline typealias Places = (Int, Int) -> KeyOrder

  /// Compares two rows.
  @usableFromInline let compare: @Sendable (Row, Row) -> KeyOrder
  /// Makes what compares rows of a list by their places: each key is read once.
  @usableFromInline let places: @Sendable ([Row]) -> Places
  /// The places of rows in this order; tags break ties.
  @usableFromInline let sorted: @Sendable ([Row], _ tags: [Int]) -> [Int]
}

extension RowOrder {
  /// Creates the order by one key.
  @inlinable
  init<Key: Comparable & SendableMetatype>(
    by key: @escaping @Sendable (Row) -> Key, _ direction: SortDirection
  ) {
    compare = { KeyOrder(key($0), key($1), direction) }
    places = { rows in
      let keys = rows.map(key)
      return { KeyOrder(keys[$0], keys[$1], direction) }
    }
    sorted = { rows, tags in
      rows.indices.map { (key: key(rows[$0]), tag: tags[$0], place: $0) }
        .sorted { KeyOrder($0.key, $1.key, direction).isBefore(orElse: $0.tag < $1.tag) }
        .map { $0.place }
    }
  }

  /// This order, and another one for rows that are the same by it.
  func then(_ next: RowOrder) -> RowOrder {
    let places: @Sendable ([Row]) -> Places = { [places] rows in
      let (first, second) = (places(rows), next.places(rows))
      return { lhs, rhs in
        let order = first(lhs, rhs)
        return order == .same ? second(lhs, rhs) : order
      }
    }
    return RowOrder(
      compare: { [compare] lhs, rhs in
        let order = compare(lhs, rhs)
        return order == .same ? next.compare(lhs, rhs) : order
      }, places: places,
      sorted: { rows, tags in
        let places = places(rows)
        return rows.indices.sorted { places($0, $1).isBefore(orElse: tags[$0] < tags[$1]) }
      })
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

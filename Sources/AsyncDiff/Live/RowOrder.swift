/// An order of rows by one or several keys.
@usableFromInline
struct RowOrder<Row>: Sendable {
  @usableFromInline let compare: @Sendable (Row, Row) -> KeyOrder
  /// Reads the keys of each row once, and returns a closure that compares two rows by their indices.
  @usableFromInline let places: @Sendable ([Row]) -> (Int, Int) -> KeyOrder
  /// Returns the rows' indices, sorted; rows with equal keys are in the order of their tags.
  @usableFromInline let sorted: @Sendable ([Row], _ tags: [Int]) -> [Int]
}

extension RowOrder {
  /// An order by one key.
  @inlinable
  init<Key: Comparable & SendableMetatype>(
    by key: @escaping @Sendable (Row) -> Key, descending isDescending: Bool
  ) {
    compare = { KeyOrder(key($0), key($1), descending: isDescending) }
    places = { rows in
      let keys = rows.map(key)
      return { KeyOrder(keys[$0], keys[$1], descending: isDescending) }
    }
    sorted = { rows, tags in
      rows.indices.map { (key: key(rows[$0]), tag: tags[$0], place: $0) }
        .sorted {
          KeyOrder($0.key, $1.key, descending: isDescending).isBefore(orElse: $0.tag < $1.tag)
        }
        .map { $0.place }
    }
  }

  /// Returns this order with another order as the tie-breaker.
  func then(_ next: RowOrder) -> RowOrder {
    let places: @Sendable ([Row]) -> (Int, Int) -> KeyOrder = { [places] rows in
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

/// The result of comparing two keys.
@usableFromInline
enum KeyOrder: Sendable {
  case before, same, behind

  @inlinable
  func isBefore(orElse tie: @autoclosure () -> Bool) -> Bool {
    self == .before || self == .same && tie()
  }

  /// Compares two keys; a key that is not equal to itself sorts last.
  ///
  /// `<` alone is not a total order, because NaN is neither less nor greater than any number.
  @inlinable
  init<Key: Comparable>(_ lhs: Key, _ rhs: Key, descending isDescending: Bool = false) {
    if lhs < rhs {
      self = isDescending ? .behind : .before
    } else if rhs < lhs {
      self = isDescending ? .before : .behind
    } else if lhs == rhs || (lhs == lhs) == (rhs == rhs) {
      self = .same
    } else {
      self = lhs == lhs ? .before : .behind
    }
  }
}

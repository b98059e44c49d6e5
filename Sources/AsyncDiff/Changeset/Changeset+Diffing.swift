extension Changeset {
  /// Finds the change from `old` to `new`.
  ///
  /// <!-- sample: let (shown, received) = (old, new) -->
  /// ```swift
  /// let change = Changeset(from: shown, to: received)
  /// ```
  /// At the start and at the end of the lists, rows with equal identifiers are paired without hashing. Every other row is hashed
  /// at most once, or twice if many hashes collide. The rows that neither move nor are deleted form a longest increasing
  /// subsequence, so no changeset with the same pairs of rows has fewer moves. Traps if a list has `Int32.max` rows or more.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* rows, *k* of which changed their order.
  @inlinable
  public init<C: Collection>(from old: C, to new: C) where C.Element: Diffable & Equatable {
    self.init(from: old, to: new, keying: DiffableKeying<C.Element>())
  }

  /// Finds the change from `old` to `new`, for rows that closures identify and compare.
  ///
  /// <!-- sample:
  /// struct Link {
  ///   let url: String, title: String
  /// }
  /// let (old, new) = ([Link](), [Link]())
  /// -->
  /// ```swift
  /// let change = Changeset(
  ///   from: old, to: new, id: \.url, isContentEqual: { $0.title == $1.title })
  /// ```
  /// Traps if a list has `Int32.max` rows or more.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list.
  ///   - id: Returns a row's identifier, which must be the same in both lists.
  ///   - isContentEqual: Returns whether two rows with the same identifier look the same.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* rows, *k* of which changed their order.
  @inlinable
  public init<C: Collection, ID: Hashable>(
    from old: C, to new: C,
    id: (C.Element) -> ID,
    isContentEqual: (C.Element, C.Element) -> Bool
  ) {
    self = withoutActuallyEscaping(id) { id in
      withoutActuallyEscaping(isContentEqual) { isContentEqual in
        Changeset(
          from: old, to: new, keying: ClosureKeying(id: id, isContentEqual: isContentEqual))
      }
    }
  }

  @inlinable
  init<C: Collection, Keying: RowKeying>(
    from old: C, to new: C, keying: Keying
  ) where Keying.Row == C.Element {
    var workspace = Workspace.take()
    self = withRows(of: old) { old in
      withRows(of: new) { new in
        Changeset(from: old, to: new, keying: keying, workspace: &workspace)
      }
    }
    workspace.leave()
  }
}

extension Changeset {
  /// Finds what turns `old` into `new`.
  ///
  /// ```swift
  /// let change = Changeset(from: shown, to: received)
  /// ```
  /// Equal ends and rows in step are compared and never hashed; each remaining row is hashed once. The
  /// surviving rows that stay are a longest increasing subsequence, so the moves are the fewest.
  ///
  /// - Parameters:
  ///   - old: The list before, of at most `Int32.max` rows.
  ///   - new: The list after, of at most `Int32.max` rows.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* rows of which *k* changed their order.
  @inlinable
  public init<C: Collection>(from old: C, to new: C) where C.Element: Diffable & Equatable {
    self.init(from: old, to: new, keying: DiffableKeying<C.Element>())
  }

  /// Finds what turns `old` into `new`, for rows that are told apart by closures.
  ///
  /// ```swift
  /// let change = Changeset(
  ///   from: old, to: new, id: \.url, isContentEqual: { $0.title == $1.title })
  /// ```
  /// - Parameters:
  ///   - old: The list before, of at most `Int32.max` rows.
  ///   - new: The list after, of at most `Int32.max` rows.
  ///   - id: What makes a row the same row in the other list.
  ///   - isContentEqual: Whether two rows with the same identity look the same.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* rows of which *k* changed their order.
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
    var workspace = Workspace()
    self = withRows(of: old) { old in
      withRows(of: new) { new in
        Changeset(from: old, to: new, keying: keying, workspace: &workspace)
      }
    }
  }
}

/// Identifies a query, or the operator that produced a part of it.
package final class QueryToken: Sendable {
  /// The `RowChoice.source` of all queries that show the rows of a table unchanged.
  static let sameRow = QueryToken()

  init() {}
}

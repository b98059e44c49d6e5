/// Identifies the operator that produced a part of a query, or a query.
@usableFromInline
package final class QueryToken: Sendable {
  /// The token of all queries that show the rows of a table as they are.
  @usableFromInline static let sameRow = QueryToken()

  @usableFromInline init() {}
}

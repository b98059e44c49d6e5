/// Identifies the operator that produced a part of a query, or a query.
package final class QueryToken: Sendable {}

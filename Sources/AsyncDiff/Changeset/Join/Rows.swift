/// The rows of one list in memory, lent for the time of a diff.
///
/// A span in all but name: spans in generic code that is specialised in another module crash the compiler
/// (Swift 6.3). Bounds are checked in debug builds.
@safe @usableFromInline
struct Rows<Row> {
  @usableFromInline let base: UnsafeBufferPointer<Row>

  @inlinable
  init(_ base: UnsafeBufferPointer<Row>) {
    unsafe self.base = unsafe base
  }

  @inlinable
  var count: Int { unsafe base.count }

  @inlinable
  subscript(_ offset: Int) -> Row {
    assert(offset >= 0 && offset < count, "no row at \(offset) of \(count)")
    return unsafe base[offset]
  }

  @inlinable
  subscript(_ range: Range<Int>) -> Rows { unsafe Rows(.init(rebasing: base[range])) }
}

/// Lends the rows in one piece; copies them only where the collection has none.
@inlinable
func withRows<C: Collection, Result>(
  of rows: C, _ body: (Rows<C.Element>) -> Result
) -> Result {
  if let result = rows.withContiguousStorageIfAvailable({ unsafe body(Rows($0)) }) {
    return result
  }
  return unsafe ContiguousArray(rows).withUnsafeBufferPointer { unsafe body(Rows($0)) }
}

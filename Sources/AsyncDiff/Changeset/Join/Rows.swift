/// The rows of one list in memory, valid during a diff.
///
/// This stands for a span: spans in generic code that is specialised in another module crash the
/// compiler (Swift 6.3). Bounds are checked in debug builds.
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

/// Calls a body with the rows in contiguous memory; copies them if the collection has no such
/// storage.
@inlinable
func withRows<C: Collection, Result>(
  of rows: C, _ body: (Rows<C.Element>) -> Result
) -> Result {
  if let result = rows.withContiguousStorageIfAvailable({ unsafe body(Rows($0)) }) {
    return result
  }
  return unsafe ContiguousArray(rows).withUnsafeBufferPointer { unsafe body(Rows($0)) }
}

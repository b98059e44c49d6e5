/// The rows of one list in contiguous memory, valid only during a diff.
///
/// This type replaces a span, because the compiler (Swift 6.3) crashes when it specializes generic code with spans in another
/// module. Bounds are checked in debug builds.
@safe @usableFromInline
struct RowBuffer<Row> {
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
  subscript(_ range: Range<Int>) -> RowBuffer { unsafe RowBuffer(.init(rebasing: base[range])) }
}

/// Calls `body` with the rows in contiguous memory; copies the rows if they are not contiguous.
@inlinable
func withRows<C: Collection, Result>(
  of rows: C, _ body: (RowBuffer<C.Element>) -> Result
) -> Result {
  if let result = rows.withContiguousStorageIfAvailable({ unsafe body(RowBuffer($0)) }) {
    return result
  }
  return unsafe ContiguousArray(rows).withUnsafeBufferPointer { unsafe body(RowBuffer($0)) }
}

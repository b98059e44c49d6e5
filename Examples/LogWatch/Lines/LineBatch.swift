/// One line of a log, without its line ending.
struct Line: Hashable, Sendable {
  /// The bytes of the line that were kept.
  var bytes: ArraySlice<UInt8>
  /// The length of the whole line, which is greater than the number of kept bytes if the line was cut.
  var length: Int

  var isCut: Bool { length > bytes.count }
}

/// Lines that were read together and share one buffer.
struct LineBatch: Sendable {
  /// The position and the length of a line in the buffer.
  struct Span: Sendable {
    var range: Range<Int>
    /// The length of the whole line, which is greater than the number of kept bytes if the line was cut.
    var length: Int
    var isCut: Bool { length > range.count }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var spans: [Span] = []
  /// The size of these lines in the log in bytes, including line endings and cut bytes.
  private(set) var size = 0
  /// Whether these lines were in the log before it was followed.
  var isBacklog = false

  var isEmpty: Bool { spans.isEmpty }

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Appends the lines of another batch.
  mutating func append(_ other: LineBatch) {
    let start = bytes.count
    bytes += other.bytes
    spans += other.spans.map {
      Span(range: start + $0.range.lowerBound..<start + $0.range.upperBound, length: $0.length)
    }
    size += other.size
  }

  /// Appends a line that consists of `parts`, without the carriage return at its end.
  mutating func append(_ parts: ArraySlice<UInt8>..., length: Int, ending: Int = 1) {
    size += length + ending
    let start = bytes.count
    for part in parts { bytes.append(contentsOf: part) }
    var end = bytes.count
    var length = length
    if length == end - start, end > start, bytes[end - 1] == 0x0D {
      end -= 1
      length -= 1
    }
    spans.append(Span(range: start..<end, length: length))
  }
}

extension LineBatch: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { spans.count }

  subscript(position: Int) -> Line {
    let span = spans[position]
    return Line(bytes: bytes[span.range], length: span.length)
  }
}

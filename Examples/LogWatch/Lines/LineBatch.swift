/// One line of a log, without its line ending.
struct Line: Hashable, Sendable {
  /// The bytes that were kept.
  var bytes: ArraySlice<UInt8>
  /// How long the line was; more than was kept when it was cut.
  var length: Int

  var isCut: Bool { length > bytes.count }
}

/// Lines that were read together; they share one buffer.
struct LineBatch: Sendable {
  /// Where one line lies in the buffer.
  struct Span: Sendable {
    var range: Range<Int>
    /// How long the line was; more than was kept when it was cut.
    var length: Int
    var isCut: Bool { length > range.count }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var spans: [Span] = []
  /// How many bytes of the log these lines took, their endings and what was cut included.
  private(set) var size = 0
  /// Whether these lines were there before the log was followed.
  var isBacklog = false

  var isEmpty: Bool { spans.isEmpty }

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Adds the lines of another batch.
  mutating func append(_ other: LineBatch) {
    let start = bytes.count
    bytes += other.bytes
    spans += other.spans.map {
      Span(range: start + $0.range.lowerBound..<start + $0.range.upperBound, length: $0.length)
    }
    size += other.size
  }

  /// Adds a line that ends where the buffer ends after `parts`; a carriage return at its end goes.
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

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Splits a stream of bytes into lines.
///
/// The chunks of the stream may end anywhere in a line.
///
/// A line ends with a line feed, or with a carriage return and a line feed. If a line is longer than `limit`, the splitter keeps
/// the first `limit` bytes and counts the rest, so that memory stays bounded and no line is lost.
struct LineSplitter: Sendable {
  private let limit: Int
  private var carry: [UInt8] = []
  private var dropped = 0
  /// The bytes of a byte order mark that may still follow at the start of the file.
  ///
  /// The mark is not part of the first line.
  private var mark: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]

  init(limit: Int = 65_536) {
    precondition(limit > 0, "LineSplitter(limit:): needs room for at least 1 byte; got \(limit)")
    self.limit = limit
  }

  /// Returns the lines that a chunk of bytes completes.
  mutating func split(_ chunk: ArraySlice<UInt8>) -> LineBatch {
    var batch = LineBatch()
    batch.reserve(carry.count + chunk.count)
    var rest = chunk
    if !mark.isEmpty { rest = skipMark(rest) }
    while let end = Self.lineEnd(in: rest) {
      let length = carry.count + dropped + (end - rest.startIndex)
      batch.append(carry[...], rest[..<end].prefix(limit - carry.count), length: length)
      carry.removeAll(keepingCapacity: true)
      dropped = 0
      rest = rest[(end + 1)...]
    }
    let kept = rest.prefix(limit - carry.count)
    carry.append(contentsOf: kept)
    dropped += rest.count - kept.count
    return batch
  }

  /// Removes a byte order mark from the start of a file, even if it arrives in pieces.
  private mutating func skipMark(_ chunk: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = chunk
    while let byte = rest.first, byte == mark.first {
      rest.removeFirst()
      mark.removeFirst()
    }
    if rest.isEmpty { return rest }
    // Bytes that only looked like a byte order mark belong to the line.
    if !mark.isEmpty { carry = [0xEF, 0xBB, 0xBF].dropLast(mark.count) }
    mark = []
    return rest
  }

  /// Returns the last line if it has no line ending.
  mutating func finish() -> LineBatch {
    var batch = LineBatch()
    if (1...2).contains(mark.count) { carry = [0xEF, 0xBB, 0xBF].dropLast(mark.count) }
    if !carry.isEmpty { batch.append(carry[...], length: carry.count + dropped, ending: 0) }
    self = LineSplitter(limit: limit)
    return batch
  }

  /// Returns the index of the first line feed.
  private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, 0x0A, buffer.count) else {
        return nil
      }
      return bytes.startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

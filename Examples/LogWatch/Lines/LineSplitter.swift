#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Cuts a stream of bytes into lines, however it arrives in chunks.
///
/// Lines end with a line feed, with or without a carriage return. Of a line longer than `limit` the
/// first `limit` bytes are kept and the rest is counted, so memory stays bounded and no line is lost.
struct LineSplitter: Sendable {
  private let limit: Int
  private var carry: [UInt8] = []
  private var dropped = 0
  /// How much of a byte order mark may still come: it is no part of the first line.
  private var mark: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]

  init(limit: Int = 65_536) {
    precondition(limit > 0, "LineSplitter(limit:): needs room for one byte; got \(limit)")
    self.limit = limit
  }

  /// The lines that these bytes complete.
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

  /// Takes a byte order mark off the front of a file, also where it comes in pieces.
  private mutating func skipMark(_ chunk: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = chunk
    while let byte = rest.first, byte == mark.first {
      rest.removeFirst()
      mark.removeFirst()
    }
    if rest.isEmpty { return rest }
    // What only looked like the beginning of one is a part of the line.
    if !mark.isEmpty { carry = [0xEF, 0xBB, 0xBF].dropLast(mark.count) }
    mark = []
    return rest
  }

  /// The line that has no line ending, when there will be none.
  mutating func finish() -> LineBatch {
    var batch = LineBatch()
    if (1...2).contains(mark.count) { carry = [0xEF, 0xBB, 0xBF].dropLast(mark.count) }
    if !carry.isEmpty { batch.append(carry[...], length: carry.count + dropped, ending: 0) }
    self = LineSplitter(limit: limit)
    return batch
  }

  /// The bytes before the end of a line.
  private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, 0x0A, buffer.count) else {
        return nil
      }
      return bytes.startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

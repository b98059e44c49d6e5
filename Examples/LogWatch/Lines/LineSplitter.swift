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

  init(limit: Int = 65_536) {
    precondition(limit > 0, "LineSplitter(limit:): needs room for one byte; got \(limit)")
    self.limit = limit
  }

  /// The lines that these bytes complete.
  mutating func split(_ chunk: ArraySlice<UInt8>) -> LineBatch {
    var batch = LineBatch()
    batch.reserve(carry.count + chunk.count)
    var rest = chunk
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

  /// The line that has no line ending, when there will be none.
  mutating func finish() -> LineBatch {
    var batch = LineBatch()
    if !carry.isEmpty { batch.append(carry[...], length: carry.count + dropped, ending: 0) }
    self = LineSplitter(limit: limit)
    return batch
  }

  private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, 0x0A, buffer.count) else {
        return nil
      }
      return bytes.startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

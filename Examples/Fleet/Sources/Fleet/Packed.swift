import CZlib

/// Compresses bytes with gzip so that many connections can share them.
///
/// Each connection gets the head, and then parts in any order.
///
/// A part does not refer to earlier parts and does not end the stream.
enum Packed {
  static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  static func part(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard fleet_deflate_init(&stream) == Z_OK else {
      preconditionFailure("zlib cannot allocate memory")
    }
    defer { deflateEnd(&stream) }
    // The bound applies to a stream that ends. A flush needs a few more bytes.
    let room = Int(deflateBound(&stream, UInt(bytes.count))) + 64
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        let status = deflate(&stream, Z_FULL_FLUSH)
        precondition(
          status == Z_OK && stream.avail_in == 0,
          "zlib did not compress all bytes; its status is \(status)")
        count = room - Int(stream.avail_out)
      }
    }
  }
}

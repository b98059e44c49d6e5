#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A log file that is being read, and the current position in it.
///
/// It follows a file like `tail -F`: it reads a truncated file from its start, and reads a replaced file to its end before it
/// opens the new file. It cannot detect that a file was truncated if the file grows beyond the old position before the next
/// check.
struct FileTail: ~Copyable {
  enum Reading: Equatable {
    /// More bytes of the file.
    ///
    /// Bytes that a followed file contained when it was first opened are backlog.
    case bytes(ArraySlice<UInt8>, isBacklog: Bool)
    /// There are no more bytes yet.
    case end
    /// The next bytes do not continue the previous bytes, because the file was truncated or replaced.
    case seam
  }

  private let path: String
  private let follows: Bool
  private var descriptor: Int32 = -1
  private var offset = 0
  /// Whether the path names a new file, which is opened when the old file has no more bytes.
  private var isReplaced = false
  private var hasBeenOpen = false
  /// The size of a followed file when it was first opened.
  ///
  /// Bytes before this offset are backlog.
  private var backlog = 0
  private static let chunk = 1 << 18

  /// Prepares to read a file, or standard input if the path is `-`.
  init(path: String, follows: Bool) {
    self.path = path
    self.follows = follows && path != "-"
  }

  deinit {
    if descriptor > STDIN_FILENO { _ = close(descriptor) }
  }

  /// Reads the available bytes.
  mutating func read() throws(SourceError) -> Reading {
    if descriptor < 0 {
      guard try openFile() else { return .end }
    }
    let isBacklog = offset < backlog
    let bytes = try readChunk()
    if !bytes.isEmpty {
      isReplaced = false
      return .bytes(bytes, isBacklog: isBacklog)
    }
    return follows ? try lookAround() : .end
  }

  /// At the end of a followed file, checks whether the file was truncated or replaced.
  private mutating func lookAround() throws(SourceError) -> Reading {
    var here = stat()
    guard fstat(descriptor, &here) == 0 else { throw SourceError(path, code: errno) }
    // Only a regular file has a size and a position.
    guard here.st_mode & S_IFMT == S_IFREG else { return .end }
    if Int(here.st_size) < offset {
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SourceError(path, code: errno) }
      offset = 0
      backlog = 0
      return .seam
    }
    var there = stat()
    guard stat(path, &there) == 0, (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino) else {
      isReplaced = false
      return .end
    }
    // The writer may still write to the old file, so close it only after two checks without new bytes.
    guard isReplaced else {
      isReplaced = true
      return .end
    }
    _ = close(descriptor)
    descriptor = -1
    isReplaced = false
    backlog = 0
    return .seam
  }

  /// Opens the file.
  ///
  /// - Returns: `false` if a followed file does not exist yet, or was open before and cannot be opened now, as during a rotation.
  private mutating func openFile() throws(SourceError) -> Bool {
    if path == "-" {
      descriptor = STDIN_FILENO
      return true
    }
    // A followed file is opened without blocking, because a pipe could block the reader, and the reader must be able to end at
    // any time.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | (follows ? O_NONBLOCK : 0))
    if descriptor < 0 {
      let error = SourceError(path, code: errno)
      // While the log is rotated, the file may be missing or not readable yet.
      if follows, hasBeenOpen || error == .missing(path) { return false }
      throw error
    }
    offset = 0
    if follows, !hasBeenOpen {
      var status = stat()
      backlog = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
    hasBeenOpen = true
    return true
  }

  private mutating func readChunk() throws(SourceError) -> ArraySlice<UInt8> {
    while true {
      var failure: Int32 = 0
      let descriptor = descriptor
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
        let length = systemRead(descriptor, buffer)
        failure = length < 0 ? errno : 0
        count = max(0, length)
      }
      if failure == EINTR { continue }
      if failure == EAGAIN, follows { return [] }
      if failure != 0 { throw SourceError(path, code: failure) }
      offset += bytes.count
      return bytes[...]
    }
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open log file, and where reading it stands.
///
/// `tail -F` in one value: a file that was truncated is read from its start, and one that was replaced
/// is read to its end before the new one is opened. What no reader can tell is a file that was truncated
/// and has grown beyond the old place between two looks.
struct FileTail: ~Copyable {
  enum Reading: Equatable {
    /// More of the file; backlog is what was there before anybody followed it.
    case bytes(ArraySlice<UInt8>, isBacklog: Bool)
    /// Nothing more for now.
    case end
    /// What comes next does not continue what was read: the file was truncated or replaced.
    case seam
  }

  private let path: String
  private let follows: Bool
  private var descriptor: Int32 = -1
  private var offset = 0
  /// Whether the path was seen to lead to another file; that is opened when the old one stays silent.
  private var isReplaced = false
  private var hasBeenOpen = false
  /// How large a followed file was when it was first opened: up to there nothing is news.
  private var backlog = 0
  private static let chunk = 1 << 18
  private var gzip: GzipReader?
  /// Whether a packed file was read to its end.
  private var hasEnded = false
  private var isPacked: Bool { path.hasSuffix(".gz") }

  /// Prepares to read a file, or standard input where the path is `-`.
  init(path: String, follows: Bool) {
    self.path = path
    // What is packed does not grow.
    self.follows = follows && path != "-" && !path.hasSuffix(".gz")
  }

  deinit {
    // gzip ends when nobody reads what it writes.
    if let gzip { _ = gzip.finish() } else if descriptor > STDIN_FILENO { _ = close(descriptor) }
  }

  /// What can be read now.
  mutating func read() throws(SourceError) -> Reading {
    if hasEnded { return .end }
    if descriptor < 0 {
      guard try openFile() else { return .end }
    }
    let isBacklog = offset < backlog
    let bytes = try readChunk()
    if !bytes.isEmpty {
      isReplaced = false
      return .bytes(bytes, isBacklog: isBacklog)
    }
    if let packed = gzip.take() {
      descriptor = STDIN_FILENO
      hasEnded = true
      if !packed.finish() { throw .damaged(path) }
    }
    return follows ? try lookAround() : .end
  }

  /// Finds out, at the end of a followed file, whether it has been truncated or replaced.
  private mutating func lookAround() throws(SourceError) -> Reading {
    var here = stat()
    guard fstat(descriptor, &here) == 0 else { throw SourceError(path, code: errno) }
    // A pipe has no size and no place.
    guard here.st_mode & S_IFMT == S_IFREG else { return .end }
    if Int(here.st_size) < offset {
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SourceError(path, code: errno) }
      offset = 0
      return .seam
    }
    var there = stat()
    guard stat(path, &there) == 0, (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino) else {
      isReplaced = false
      return .end
    }
    // Its writer may hold the old file for a moment: only a second look without news leaves it.
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

  /// Opens the file; `false` where a followed one is not there yet.
  private mutating func openFile() throws(SourceError) -> Bool {
    if path == "-" {
      descriptor = STDIN_FILENO
      return true
    }
    if isPacked {
      let reader = try GzipReader(path)
      descriptor = reader.descriptor
      gzip = reader
      return true
    }
    // Following never waits in the system, so that it can end at any time; a pipe could make it wait.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | (follows ? O_NONBLOCK : 0))
    if descriptor < 0 {
      let error = SourceError(path, code: errno)
      // While a log is being rotated it may be missing, or not yet ours to read.
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
